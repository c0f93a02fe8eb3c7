import type { Command } from '../command.ts'
import { openEvidence } from '../evidence.ts'
import { reproduce as reproduceRelease } from '../stages/reproduce.ts'
import { keepingSums } from '../sums.ts'
import { existingRepository } from './existing-file.ts'

/** `rel reproduce`: whether a second pack of the commit gives the same bytes. */
export const reproduce: Command = {
  name: 'reproduce',
  says: 'packs the commit again, elsewhere and otherwise, and compares',
  words: '',
  options: {
    release: { type: 'string', required: true, says: 'the evidence folder' },
    repository: { type: 'string', required: true, says: 'folder of a repository that has the commit' },
  },
  async run(given, context) {
    const folder = given.text('release')
    const evidence = openEvidence(folder)
    return await keepingSums(folder, async () => {
      const { file, sha256 } = await reproduceRelease(evidence, existingRepository(given.text('repository')), context)
      const { packages, source } = evidence.manifest
      return {
        lines: [`${packages.length} packages of ${source.commit} came out the same, byte for byte`, file],
        json: { releaseId: evidence.releaseId, record: file, sha256 },
      }
    })
  },
}
