import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { manifest } from '../../../src/commands/manifest.ts'
import { manifestFile } from '../../../src/evidence.ts'
import { type Counterfactual, endingOf } from '../../kit/counterfactual.ts'
import { makeWorld } from '../../kit/world.ts'

/** A manifest is written once: it is the root of the records. */
export const manifestAgainCases: readonly Counterfactual[] = [
  {
    shows: ['P-39'],
    differs: 'a manifest is there already',
    layer: 'U',
    code: 'stage_already_final',
    async run(folder, change) {
      const world = await makeWorld(join(folder, 'release'), { until: 'manifest' })
      if (change === 'unchanged') rmSync(join(world.folder, manifestFile))
      const given = { text: () => world.folder, optional: () => undefined, all: () => [], flag: () => false, words: [] }
      return endingOf(() => manifest.run(given, world.context))
    },
  },
]
