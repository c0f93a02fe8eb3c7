import type { Command } from '../command.ts'
import { isFolder } from '../kind-of-path.ts'
import { readPolicy } from '../policy.ts'
import { Misused } from '../refusal.ts'
import { type Verified, verifyEvidence } from '../stages/verify.ts'

/** `rel verify DIR`: checks an evidence folder with files only. */
export const verify: Command = {
  name: 'verify',
  says: 'checks every file, digest, link, judgement and signature of an evidence folder, offline',
  words: 'DIR',
  options: {
    policy: { type: 'string', says: 'your own copy of the policy, whose keys must have signed, too' },
  },
  async run({ words, optional }) {
    const [folder, ...more] = words
    if (folder === undefined || more.length > 0) throw new Misused('rel verify takes one evidence folder')
    if (!isFolder(folder)) throw new Misused(`${folder} is no folder`)
    const file = optional('policy')
    const verified = await verifyEvidence(folder, file === undefined ? undefined : readPolicy(file).policy)
    return { lines: linesOf(verified), json: { ...verified } }
  },
}

function linesOf(verified: Verified): readonly string[] {
  const { releaseId, state, files, tarballs, packedFiles, records, inputs, rawFiles, signatures } = verified
  const keys = verified.policies === 1 ? 'the policy in the folder' : 'the policy in the folder and of yours'
  const counted: readonly (readonly [of: string, count: number, says: string])[] = [
    ['files', files, 'as SHA256SUMS says, and no others'],
    ['tarballs', tarballs, `those of the manifest, file by file (${packedFiles} files)`],
    ['records', records, 'of this release, chained from the manifest on'],
    ['inputs', inputs, 'earlier records, or files of this folder'],
    ['raw results', rawFiles, 'those of the acceptance, which was judged again'],
    ['signatures', signatures, `right, by keys of ${keys}`],
    ...(verified.hasTuple ? [['tuple', 1, 'that of the manifest and the records'] as const] : []),
  ]
  return [
    `release ${releaseId}`,
    ...counted.map(([of, count, says]) => `${of.padEnd(12)}${String(count).padStart(5)}  ${says}`),
    `state: ${state}`,
  ]
}
