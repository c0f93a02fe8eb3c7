import type { Command } from '../command.ts'
import { pack as packCommit } from '../stages/pack.ts'
import { existingRepository } from './existing-file.ts'

/** `rel pack`: a commit becomes tarballs, in a new evidence folder. */
export const pack: Command = {
  name: 'pack',
  says: 'packs a commit in a fresh clone, into a new evidence folder',
  words: '',
  options: {
    repository: { type: 'string', required: true, says: 'folder of a clean checkout' },
    commit: { type: 'string', required: true, says: 'full id of the commit' },
    policy: { type: 'string', required: true, says: 'the policy: release.policy.json of the repository' },
    out: { type: 'string', required: true, says: 'the evidence folder: empty, or not there' },
  },
  async run(given, context) {
    const commit = { repository: existingRepository(given.text('repository')), id: given.text('commit') }
    const request = { commit, policyPath: given.text('policy'), out: given.text('out') }
    const { tarballs, packing } = await packCommit(request, context)
    return {
      lines: [...tarballs, `${tarballs.length} tarballs of ${packing.version} (${commit.id}) in ${request.out}`],
      json: { tarballs, packing },
    }
  },
}
