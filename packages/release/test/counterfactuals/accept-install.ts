// What an acceptance refuses before it runs anything: tarballs that are not those of the manifest, an install that cannot be, a
// suite that is none.
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { install, makePlace } from '../../src/acceptance/place.ts'
import { readCell, readSuite } from '../../src/acceptance/suite.ts'
import { openEvidence } from '../../src/evidence.ts'
import { acceptedTarballs } from '../../src/stages/accept.ts'
import { type Counterfactual, endingOf } from '../kit/counterfactual.ts'
import { emptyCell, emptySuite } from '../kit/suite.ts'
import { makeWorld } from '../kit/world.ts'

type Change = Parameters<Counterfactual['run']>[1]

/** npm, as far as an install sees it: what it says, and how it ends. */
function npmThat(folder: string, says: string, code: number): readonly string[] {
  const file = join(folder, 'npm.sh')
  writeFileSync(file, `#!/bin/sh\necho "${says}" >&2\nexit ${code}\n`)
  chmodSync(file, 0o755)
  return [file]
}

const installing = (
  differs: string,
  code: 'acceptance_cell_blocked' | 'acceptance_failed',
  says: string,
): Counterfactual => ({
  shows: ['P-50'],
  differs,
  layer: 'U',
  code,
  run: (folder, change) =>
    endingOf(async () => {
      const suite = readSuite(emptySuite(join(folder, 'suite')))
      const place = makePlace(suite)
      try {
        const npm = change === 'changed' ? npmThat(folder, says, 1) : npmThat(folder, 'added 1 package', 0)
        await install(place, suite, [], { npm, settings: '' })
      } finally {
        rmSync(place.folder, { recursive: true })
      }
    }),
})

const withTarball = (folder: string, change: Change, spoil: (file: string) => void) =>
  endingOf(async () => {
    const world = await makeWorld(folder, { until: 'manifest' })
    if (change === 'changed') spoil(world.tarball('@x/engine'))
    acceptedTarballs(openEvidence(folder))
  })

export const acceptInstallCases: readonly Counterfactual[] = [
  installing('no registry answers', 'acceptance_cell_blocked', 'npm error code ENOTFOUND'),
  installing('npm does not take a tarball', 'acceptance_failed', 'npm error code EBADTARBALL'),
  {
    shows: ['P-50'],
    differs: 'a step of a cell is no step',
    layer: 'U',
    code: 'record_schema_invalid',
    run: (folder, change) =>
      endingOf(() => {
        const suite = readSuite(emptySuite(join(folder, 'suite')))
        const step = change === 'changed' ? { verb: 'start' } : { do: 'start' }
        mkdirSync(join(suite.folder, 'cells'), { recursive: true })
        writeFileSync(join(suite.folder, 'cells/start.json'), JSON.stringify({ ...emptyCell, steps: [step] }))
        readCell(suite, 'start')
      }),
  },
  {
    shows: ['P-51'],
    differs: 'a tarball has a byte more',
    layer: 'U',
    code: 'archive_sha256_mismatch',
    run: (folder, change) => withTarball(folder, change, (file) => writeFileSync(file, '\0', { flag: 'a' })),
  },
  {
    shows: ['P-50'],
    differs: 'a tarball is not there',
    layer: 'U',
    code: 'record_missing',
    run: (folder, change) => withTarball(folder, change, (file) => rmSync(file)),
  },
]
