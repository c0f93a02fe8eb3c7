import { hostname } from 'node:os'
import { resolve } from 'node:path'
import type { Command } from '../command.ts'
import { openEvidence, policyOf } from '../evidence.ts'
import { npmInstall } from '../registry/fresh-install.ts'
import { patienceOf } from '../registry/patience.ts'
import { openRegistry } from '../registry/registry.ts'
import { readback as readbackStage } from '../stages/readback.ts'
import { keepingSums } from '../sums.ts'

/** `rel readback`: what the registry serves, tells and tags, against the manifest; without any right to publish. */
export const readback: Command = {
  name: 'readback',
  says: 'reads the published set back from the registry and compares it with the manifest',
  words: '',
  options: {
    release: { type: 'string', required: true, says: 'the evidence folder' },
    registry: { type: 'string', says: 'where it was published; settings and environment are not asked' },
    deadline: { type: 'string', says: 'seconds to bear with lag; the policy has the default' },
    'fresh-install': {
      type: 'boolean',
      says: 'install the set as a consumer, also where the policy does not ask for it',
    },
    observer: { type: 'string', says: 'who looks, for the record; the name of this host without it' },
  },
  async run(given, context) {
    const folder = resolve(given.text('release'))
    const evidence = openEvidence(folder)
    const { deadlineSeconds, freshInstall } = policyOf(evidence).policy.readback
    return await keepingSums(folder, async () => {
      const record = await readbackStage(context, {
        evidence,
        registry: given.optional('registry'),
        patience: patienceOf(given.optional('deadline'), deadlineSeconds),
        observer: given.optional('observer') ?? hostname(),
        install: freshInstall || given.flag('fresh-install') ? npmInstall : null,
        open: openRegistry,
      })
      const { releaseId, manifest } = evidence
      return {
        lines: [
          ...manifest.packages.map(({ name, version, file }) => `${name}@${version}  sha256 ${file.sha256}`),
          `${releaseId}: verified at the registry; next: rel tuple append`,
        ],
        json: { release: releaseId, record: record.file },
      }
    })
  },
}
