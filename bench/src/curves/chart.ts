import { parse, View } from 'vega'
import { compile, type TopLevelSpec } from 'vega-lite'
import type { DatabaseName } from '../databases.ts'
import type { CurveName, CurvePoint, FloorLine, StepCost } from './point.ts'

const curves: readonly { readonly name: CurveName; readonly title: string }[] = [
  { name: 'history_length', title: 'steps of the run so far' },
  { name: 'open_runs', title: 'open runs that wait' },
  { name: 'workers', title: 'worker processes' },
]
const costs: readonly { readonly name: keyof StepCost; readonly title: string }[] = [
  { name: 'wall_ms_per_step', title: 'ms a step' },
  { name: 'server_cpu_ms_per_step', title: 'server CPU ms a step' },
]
const seriesNames = { measured: 'measured', without: 'same moment, none open', floor: 'floor: no engine (SQLite)' }
const databases = [
  { name: 'sqlite', title: 'SQLite', color: '#2a6fbb' },
  { name: 'postgres', title: 'PostgreSQL', color: '#c8553d' },
] as const satisfies readonly { readonly name: DatabaseName; readonly title: string; readonly color: string }[]

/** Draws one panel for each curve and each cost as an SVG document; axes of cost begin at zero. */
export async function drawCurves(points: readonly CurvePoint[], floors: readonly FloorLine[]): Promise<string> {
  const view = new View(parse(compile(specOf(points, floors)).spec), { renderer: 'none' })
  try {
    return await view.toSVG()
  } finally {
    view.finalize()
  }
}

function specOf(points: readonly CurvePoint[], floors: readonly FloorLine[]): TopLevelSpec {
  const color = colorOf(points)
  return {
    $schema: 'https://vega.github.io/schema/vega-lite/v6.json',
    title: { text: 'What a step costs', subtitle: 'flat is the aim', anchor: 'start' },
    background: 'white',
    padding: 12,
    vconcat: costs.map((cost) => ({
      hconcat: curves.map((curve) => ({
        width: 250,
        height: 170,
        layer: [
          {
            data: { values: valuesOf(points, curve.name, cost.name) },
            mark: { type: 'line' },
            encoding: { ...encodingOf(curve.title, cost.title, color), strokeDash: dashes },
          },
          {
            data: { values: valuesOf(points, curve.name, cost.name) },
            mark: { type: 'circle', size: 40, opacity: 1 },
            encoding: encodingOf(curve.title, cost.title, color),
          },
          {
            data: { values: floorValuesOf(floors, curve.name, cost.name) },
            mark: { type: 'rule', color: '#333', strokeWidth: 1.5 },
            encoding: { y: { field: 'y', type: 'quantitative' }, strokeDash: dashes },
          },
        ],
      })),
    })),
    resolve: { scale: { color: 'shared', strokeDash: 'shared' } },
  }
}

const dashes = {
  field: 'series',
  type: 'nominal',
  title: 'line',
  // Wide enough to show the dashes of a line.
  legend: { symbolType: 'stroke', symbolSize: 900, symbolStrokeColor: '#333', labelLimit: 300 },
  scale: {
    domain: Object.values(seriesNames),
    range: [
      [1, 0],
      [5, 4],
      [1, 3],
    ],
  },
} as const

/** Only what was measured has a place in the legend. */
function colorOf(points: readonly CurvePoint[]) {
  const measured = databases.filter(({ name }) => points.some((point) => point.database === name))
  return {
    field: 'database',
    type: 'nominal',
    title: 'database',
    scale: { domain: measured.map(({ title }) => title), range: measured.map(({ color }) => color) },
  } as const
}

const encodingOf = (x: string, y: string, color: ReturnType<typeof colorOf>) =>
  ({
    x: { field: 'x', type: 'quantitative', title: x },
    y: { field: 'y', type: 'quantitative', title: y, scale: { zero: true } },
    color,
  }) as const

const valuesOf = (points: readonly CurvePoint[], curve: CurveName, cost: keyof StepCost) =>
  points
    .filter((point) => point.curve === curve && point[cost] !== null)
    .map((point) => ({
      x: point.x,
      y: point[cost],
      series: seriesNames[point.series],
      database: databases.find(({ name }) => name === point.database)?.title,
    }))

const floorValuesOf = (floors: readonly FloorLine[], curve: CurveName, cost: keyof StepCost) =>
  floors
    .filter((floor) => floor.curve === curve && floor[cost] !== null)
    .map((floor) => ({ y: floor[cost], series: seriesNames.floor }))
