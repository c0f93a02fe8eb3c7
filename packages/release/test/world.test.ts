import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { readCanonical } from '../src/canonical.ts'
import { packingFile, readBound, tarballFolder } from '../src/evidence.ts'
import { stateOf } from '../src/pipeline.ts'
import { packing as packingShape } from '../src/records/manifest.ts'
import { shaped } from '../src/shape.ts'
import { buildManifest } from '../src/stages/manifest.ts'
import { makeWorld } from './kit/world.ts'

const folder = mkdtempSync(join(tmpdir(), 'release-world-'))
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('the manifest that the kit writes by itself is the one that `rel manifest` writes of its tarballs', async () => {
  const { evidence, policy, policySha256, context } = await makeWorld(folder, { until: 'manifest' })
  const packing = shaped(packingShape, readCanonical(readBound(folder, packingFile), packingFile), packingFile)
  const written = await buildManifest({
    tarballs: join(folder, tarballFolder),
    packing,
    policy: { policy, sha256: policySha256 },
    tool: context.tool,
  })
  expect(written).toEqual(evidence().manifest)
})

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
