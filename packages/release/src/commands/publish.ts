import { resolve } from 'node:path'
import { diffManifests } from '../archive/diff.ts'
import type { Command } from '../command.ts'
import { openEvidence } from '../evidence.ts'
import { refuseUnless } from '../guard.ts'
import { openLedger } from '../ledger.ts'
import { readPolicy } from '../policy.ts'
import { patienceOf } from '../registry/patience.ts'
import { previousManifest, publicationPlan } from '../registry/plan.ts'
import { openRegistry } from '../registry/registry.ts'
import { pinnedPnpm, pnpmUploader } from '../registry/upload.ts'
import { judgeCommit } from '../source.ts'
import { type Planned, publish as publishStage } from '../stages/publish.ts'
import { keepingSums } from '../sums.ts'
import { existingFile, existingRepository, manifestAt } from './existing-file.ts'

/** `rel publish`: uploads the accepted files, tier by tier, and moves the dist-tag when all of them were read back. */
export const publish: Command = {
  name: 'publish',
  says: 'uploads the accepted files, reads each back, then moves the dist-tag; --dry-run tells what would go out',
  words: '',
  options: {
    release: { type: 'string', required: true, says: 'the evidence folder' },
    policy: { type: 'string', required: true, says: 'the policy as it is now on the protected branch' },
    ledger: { type: 'string', required: true, says: 'the ledger, which allows one release at a time' },
    registry: { type: 'string', says: 'where to; settings and environment are not asked' },
    'dist-tag': { type: 'string', required: true, says: 'the tag of the channel' },
    userconfig: { type: 'string', says: 'private npmrc with the token; without it the CI vouches (OIDC)' },
    pnpm: { type: 'string', says: 'the pinned pnpm, a program; without it npm finds or fetches it' },
    repository: { type: 'string', says: 'a checkout: the protected branch must still have the commit' },
    previous: { type: 'string', says: 'evidence folder or manifest of the release before, for the diff of a dry run' },
    deadline: { type: 'string', says: 'seconds to bear with lag, for each package; the policy has the default' },
    'dry-run': { type: 'boolean', says: 'everything but the uploads' },
    resume: { type: 'boolean', says: 'goes on where an earlier run stopped' },
  },
  async run(given, context) {
    refuseUnless(given.words.length === 0, 'directory_publish_forbidden', {
      given: given.words,
      expected: 'nothing: the files of the manifest are published',
    })
    const folder = resolve(given.text('release'))
    const evidence = openEvidence(folder)
    const { manifest, releaseId } = evidence
    const policy = readPolicy(existingFile(given.text('policy')))
    const { attestation, readback } = policy.policy
    const ledger = resolve(given.text('ledger'))
    const [userconfig, repository, before] = ['userconfig', 'repository', 'previous'].map(given.optional)
    const previous = before === undefined ? null : previousManifest(manifestAt(before), openLedger(ledger), manifest)
    const dryRun = given.flag('dry-run')
    const distTag = given.text('dist-tag')
    return await keepingSums(folder, async () => {
      const { record, plan } = await publishStage(context, {
        evidence,
        policy,
        ledger,
        registry: given.optional('registry'),
        distTag,
        dryRun,
        resume: given.flag('resume'),
        patience: patienceOf(given.optional('deadline'), readback.deadlineSeconds),
        open: openRegistry,
        uploader: (registry) =>
          pnpmUploader({
            registry,
            pnpm: pinnedPnpm(manifest.toolchain.pnpm.version, given.optional('pnpm')),
            userconfig: userconfig === undefined ? null : resolve(existingFile(userconfig)),
            provenance: attestation === 'required',
            seconds: 600,
          }),
        checkSource(id) {
          if (repository !== undefined)
            judgeCommit({ repository: existingRepository(resolve(repository)), id }, policy.policy)
        },
      })
      const json = { release: releaseId, record: record.file, dryRun, plan: plan.map(told) }
      if (!dryRun) return { lines: [`${releaseId}: published as ${distTag}; next: rel readback`], json }
      const lines = publicationPlan({ manifest, plan, ledger: openLedger(ledger), distTag, previous })
      const difference = previous === null ? null : diffManifests(previous, manifest)
      return { lines: [...lines, `${releaseId}: nothing was sent; this would go out`], json: { ...json, difference } }
    })
  },
}

const told = ({ entry: { name, version, tier, file }, state }: Planned) => ({
  name,
  version,
  tier,
  state,
  size: file.size,
  sha256: file.sha256,
})
