// A second pack that gives other bytes, on a release that is in order until then (P-05, P-10).
import { cpSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { readArchive } from '../../../src/archive/read.ts'
import type { RefusalCode } from '../../../src/refusal.ts'
import { reproduce } from '../../../src/stages/reproduce.ts'
import { type Counterfactual, type Ending, endingOf } from '../../kit/counterfactual.ts'
import { type PackedFile, type TarballOptions, tarball } from '../../kit/tarball.ts'
import { makeWorld } from '../../kit/world.ts'

/** Changes the tarball that a second pack wrote; `files` are those of the first. */
type Change = (tarball: string, files: readonly PackedFile[]) => void

const repacked =
  (options: TarballOptions, change = (files: readonly PackedFile[]) => files): Change =>
  (path, files) =>
    writeFileSync(path, tarball(change(files), options))

const rows: readonly (readonly [differs: string, code: RefusalCode | null, change: Change])[] = [
  ['the same files packed again', null, repacked({})],
  ['the same files at another level of compression', 'repack_mismatch', repacked({ level: 1 })],
  ['the same files with another time', 'repack_mismatch', repacked({ mtime: 1_000_000_000 })],
  [
    'another byte in a file',
    'build_not_reproducible',
    repacked({}, (files) => files.map((one) => (one.path === 'LICENSE' ? { ...one, content: 'MIT.\n' } : one))),
  ],
  ['a file more', 'build_not_reproducible', repacked({}, (files) => [...files, { path: 'dist/b.js', content: '' }])],
  ['a file less', 'build_not_reproducible', repacked({}, (files) => files.slice(1))],
  ['a package that was not packed again', 'build_not_reproducible', (path) => rmSync(path)],
]

async function run(folder: string, change?: Change): Promise<Ending> {
  const world = await makeWorld(join(folder, 'release'), { until: 'manifest' })
  const again = join(folder, 'again')
  const ending = await endingOf(() =>
    reproduce(world.evidence(), folder, world.context, async (_order, _progress, work) => {
      cpSync(join(world.folder, 'tarballs'), again, { recursive: true })
      const first = world.tarball('@x/spec')
      change?.(join(again, basename(first)), await filesIn(first))
      return work(again)
    }),
  )
  const last = world.evidence().records.at(-1)?.record
  return { ...ending, recorded: last === undefined ? null : { outcome: last.outcome, reason: last.reason } }
}

async function filesIn(path: string): Promise<readonly PackedFile[]> {
  const limits = { packedBytes: 1 << 20, unpackedBytes: 1 << 22, files: 100 }
  const { files, kept } = await readArchive(path, { limits, keep: () => true })
  return files.map((one) => ({ path: one.path, mode: one.mode, content: kept.get(one.path) ?? '' }))
}

/** One difference of the second pack each. */
export const reproductionCases: readonly Counterfactual[] = rows.map(([differs, code, change]) => ({
  shows: code === null ? ['P-05'] : ['P-10'],
  differs,
  layer: 'U',
  code,
  run: (folder, which) => run(folder, which === 'changed' ? change : undefined),
}))
