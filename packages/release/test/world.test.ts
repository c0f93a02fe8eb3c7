import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { stateOf } from '../src/pipeline.ts'
import { makeWorld } from './kit/world.ts'

const folder = mkdtempSync(join(tmpdir(), 'release-world-'))
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test.each([
  ['manifest', 'manifested'],
  ['reproduction', 'reproduced'],
  ['acceptance', 'accepted'],
  ['approval', 'approved'],
  ['publication', 'published'],
  ['readback', 'verified'],
] as const)('a world until %s is %s', async (until, state) => {
  const world = await makeWorld(folder, { until, threshold: 2 })
  expect(stateOf(world.evidence())).toBe(state)
})
