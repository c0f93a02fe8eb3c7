import { expect, test } from 'vitest'
import { drawCurves } from './chart.ts'
import type { CurvePoint } from './point.ts'

const point = (x: number, wall: number): CurvePoint => ({
  curve: 'history_length',
  database: 'sqlite',
  series: 'measured',
  x,
  wall_ms_per_step: wall,
  server_cpu_ms_per_step: null,
})

/** The heights of the vertices of the one drawn line, in pixels from the top. */
function heightsOf(svg: string): readonly number[] {
  const path = svg.match(/<path aria-label="[^"]*"[^>]* d="(M[^"]*)"[^>]* stroke="#2a6fbb"/)?.[1] ?? ''
  return [...path.matchAll(/[ML]([\d.]+),([\d.]+)/g)].map(([, , y]) => Number(y))
}

test('a flat cost is a flat line, and twice the cost stands twice as high above zero', async () => {
  const flat = heightsOf(await drawCurves([point(100, 1), point(200, 1)], []))
  expect(flat).toHaveLength(2)
  expect(flat[0]).toBe(flat[1])
  const [low, high] = heightsOf(await drawCurves([point(100, 1), point(200, 2)], []))
  expect(170 - (high ?? 0)).toBeCloseTo(2 * (170 - (low ?? 0)))
})

test('axes and lines say what they are', async () => {
  const floors = [{ curve: 'history_length', wall_ms_per_step: 0.5, server_cpu_ms_per_step: 0.1 } as const]
  const svg = await drawCurves([point(100, 1), point(200, 1)], floors)
  for (const words of ['steps of the run so far', 'open runs that wait', 'worker processes', 'ms a step', 'SQLite'])
    expect(svg).toContain(words)
  expect(svg).toContain('floor: no engine (SQLite)')
})

test('only databases that were measured stand in the legend', async () => {
  const points = [point(100, 1), point(200, 1)]
  expect(await drawCurves(points, [])).not.toContain('PostgreSQL')
  const both = await drawCurves([...points, { ...point(100, 2), database: 'postgres' }], [])
  expect(both).toContain('PostgreSQL')
})
