// Packs the commit a second time, in surroundings that differ in everything that must not matter, and compares.

import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type ReadArchive, readArchive } from '../archive/read.ts'
import { stateOfFile } from '../archive/tree.ts'
import { inFreshClone } from '../clone.ts'
import type { Context } from '../context.ts'
import { type Evidence, policyOf, recorded, type StoredRecord } from '../evidence.ts'
import { refuseUnless } from '../guard.ts'
import { inputsOf, mayRun } from '../pipeline.ts'
import type { Policy } from '../policy.ts'
import type { PackageEntry } from '../records/manifest.ts'
import type { DetailsOf } from '../records/records.ts'
import { type Commit, judgeCommit } from '../source.ts'
import type { Surroundings } from '../tool-run.ts'
import { packClone } from './pack.ts'

/** Packs a commit elsewhere; the work sees the folder of the tarballs, which is gone afterwards. */
export type Rebuild = <T>(
  order: { readonly commit: Commit; readonly policy: Policy },
  progress: Context['progress'],
  work: (tarballs: string) => Promise<T>,
) => Promise<T>

const otherSurroundings: Surroundings = { umask: 0o077, timeZone: 'Asia/Kathmandu', locale: 'C.UTF-8' }
const otherPath = join('a deeper folder', 'with spaces in its name')

/** What the second pack has other than the first, for the record. */
const differences = [
  `path: ${otherPath}`,
  `umask: ${otherSurroundings.umask.toString(8).padStart(3, '0')}`,
  `time zone: ${otherSurroundings.timeZone}`,
  `locale: ${otherSurroundings.locale}`,
] as const

const rebuildElsewhere: Rebuild = async (order, progress, work) => {
  judgeCommit(order.commit, order.policy)
  return inFreshClone(order.commit, { umask: otherSurroundings.umask, beneath: otherPath }, async (place) => {
    await packClone(place, { ...order, surroundings: otherSurroundings }, progress)
    return work(place.out)
  })
}

/**
 * Packs the commit of a manifest again and records whether the same bytes came out.
 *
 * @throws Refused repack_mismatch (equal files in other bytes), build_not_reproducible, stage_already_final, and what packing
 *   refuses; a repository that lacks the commit, or other tools, judge nothing: it may be tried again
 * @source release design §5.2, stage 3b; P-05, P-10
 */
export async function reproduce(
  evidence: Evidence,
  repository: string,
  context: Context,
  rebuild: Rebuild = rebuildElsewhere,
): Promise<StoredRecord> {
  mayRun(evidence, 'reproduction')
  const { policy } = policyOf(evidence)
  const commit: Commit = { repository, id: evidence.manifest.source.commit }
  const stage = { kind: 'reproduction', inputs: inputsOf(evidence, 'reproduction') } as const
  return recorded(context, evidence, stage, async (report) => {
    const rebuilt = await rebuild({ commit, policy }, context.progress, (tarballs) => readAll(tarballs, policy.limits))
    report({
      differences,
      packages: evidence.manifest.packages.map((one) => compared(one, rebuilt.get(one.file.name))),
    })
    judgeRebuilt(evidence.manifest.packages, rebuilt)
  })
}

/** File name → what was read. */
type Rebuilt = ReadonlyMap<string, ReadArchive>

async function readAll(folder: string, limits: Policy['limits']): Promise<Rebuilt> {
  const rebuilt = new Map<string, ReadArchive>()
  for (const file of readdirSync(folder)) rebuilt.set(file, await readArchive(join(folder, file), { limits }))
  return rebuilt
}

function compared(
  { name, file }: PackageEntry,
  read: ReadArchive | undefined,
): DetailsOf<'reproduction'>['packages'][number] {
  return {
    name,
    file: read?.sha256 === file.sha256,
    tar: read?.tarSha256 === file.tarSha256,
    tree: read?.treeSha256 === file.treeSha256,
  }
}

/**
 * Whether a second pack gave the tarballs that a manifest binds.
 *
 * @throws Refused build_not_reproducible, with the first file that differs; repack_mismatch when all files are equal
 */
export function judgeRebuilt(packages: readonly PackageEntry[], rebuilt: Rebuilt): void {
  for (const entry of packages) {
    const path = firstDifference(entry, rebuilt.get(entry.file.name))
    refuseUnless(path === undefined, 'build_not_reproducible', { package: entry.name, path: path ?? null })
  }
  for (const { name, file } of packages) {
    const actual = rebuilt.get(file.name)?.sha256 ?? null
    refuseUnless(actual === file.sha256, 'repack_mismatch', { package: name, expected: file.sha256, actual })
  }
}

/** The first path that one side lacks or that differs; the file itself where it was not packed again. */
function firstDifference({ files, file }: PackageEntry, read: ReadArchive | undefined): string | undefined {
  if (read === undefined) return file.name
  const [one, other] = [files, read.files].map((all) => new Map(all.map((each) => [each.path, stateOfFile(each)])))
  const paths = [...new Set([...(one?.keys() ?? []), ...(other?.keys() ?? [])])].toSorted()
  return paths.find((path) => one?.get(path) !== other?.get(path))
}
