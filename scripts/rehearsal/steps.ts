// The steps of a rehearsal, in their order; each runs the real `rel`, as CI and people do.
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { openEvidence, readPolicy } from '../../packages/release/src/index.ts'
import { fields, root } from '../published.ts'
import { changeNestedEntry, installConsumer } from './consumer.ts'
import { adaptPolicy, consumeChangesets, git, type Key, policyFile } from './head.ts'
import { type Rehearsal, type Step, StepFailed, tail } from './rehearsal.ts'
import { flipByteOfPublished } from './tamper.ts'

const producer = 'rehearsal-producer'
const approver = 'rehearsal-approver'

const policyOf = ({ places }: Rehearsal): string => join(places.head, policyFile)
const keyOf = ({ places }: Rehearsal, id: string): string => join(places.keys, `${id}.pem`)

/** Where the release goes, by its channel: `stable` is published under the tag that the policy has for it. */
function targetOf({ places }: Rehearsal): { version: string; distTag: string; names: readonly string[] } {
  const { manifest } = openEvidence(places.evidence)
  const { policy } = readPolicy(join(places.evidence, 'policy.json'))
  const names = manifest.packages.map(({ name }) => name)
  return { version: manifest.version, distTag: policy.distTags[manifest.channel], names }
}

/** Whether a stage has passed already: its record is there, though the rehearsal was stopped before it could note it. */
function hasPassed({ places }: Rehearsal, kind: string): boolean {
  return openEvidence(places.evidence).records.some((one) => one.kind === kind && one.record.outcome === 'passed')
}

async function makeKey(rehearsal: Rehearsal, id: string, person: string): Promise<Key> {
  const file = keyOf(rehearsal, id)
  rmSync(file, { force: true })
  const words = ['keygen', '--out', file, '--id', id, '--person', person, '--role', 'rehearsal', '--json']
  const said = fields(JSON.parse((await rehearsal.passes(...words)).join('\n')))
  const entry = fields(said.get('entry'))
  const text = (name: string): string => {
    const value = entry.get(name)
    if (typeof value !== 'string') throw new StepFailed(`rel keygen told no ${name}`)
    return value
  }
  return { id: text('id'), person: text('person'), role: text('role'), publicKey: text('publicKey') }
}

const unread = ({ places }: Rehearsal): string => join(places.out, 'evidence-unread')

function copyAnew(from: string, to: string): void {
  rmSync(to, { recursive: true, force: true })
  cpSync(from, to, { recursive: true })
}

const release = ({ places }: Rehearsal): readonly string[] => ['--release', places.evidence]
const lastLine = (lines: readonly string[]): string => lines.at(-1) ?? ''

/** All steps. A step that was interrupted begins again, or finds that its record is there. */
export const steps: readonly Step[] = [
  {
    name: 'version',
    says: 'consume the changesets: versions and changelogs, committed on main of the clone',
    async run({ places }) {
      consumeChangesets(places.head)
      const manifest = readFileSync(join(places.head, 'packages/release/package.json'), 'utf8')
      return `version ${fields(JSON.parse(manifest)).get('version')}`
    },
  },
  {
    name: 'policy',
    says: 'a policy with fresh keys: one produces, another approves',
    async run(rehearsal) {
      mkdirSync(rehearsal.places.keys, { recursive: true, mode: 0o700 })
      const keys = [
        await makeKey(rehearsal, producer, 'Producer of the rehearsal'),
        await makeKey(rehearsal, approver, 'Approver of the rehearsal'),
      ]
      const databases = rehearsal.databases.map(({ name }) => name)
      adaptPolicy(rehearsal.places.head, keys, producer, databases)
      return `head ${git(rehearsal.places.head, 'rev-parse', 'HEAD')}; acceptance on ${databases.join(' and ')}`
    },
  },
  {
    name: 'plan',
    says: 'rel plan: what would be released; writes nothing',
    async run(rehearsal) {
      return lastLine(
        await rehearsal.passes('plan', '--repository', rehearsal.places.head, '--policy', policyOf(rehearsal)),
      )
    },
  },
  {
    name: 'pack',
    says: 'rel pack: a fresh clone of the commit, installed from the lockfile, built and packed',
    async run(rehearsal) {
      const { head, evidence } = rehearsal.places
      rmSync(evidence, { recursive: true, force: true })
      const commit = git(head, 'rev-parse', 'HEAD')
      const words = ['--repository', head, '--commit', commit, '--policy', policyOf(rehearsal), '--out', evidence]
      return lastLine(await rehearsal.passes('pack', ...words))
    },
  },
  {
    name: 'manifest',
    says: 'rel manifest: every file of every tarball read and bound',
    async run(rehearsal) {
      if (existsSync(join(rehearsal.places.evidence, 'release-manifest.json'))) return 'it is there already'
      return lastLine(await rehearsal.passes('manifest', ...release(rehearsal)))
    },
  },
  {
    name: 'reproduce',
    says: 'rel reproduce: a second clone elsewhere must give the same bytes',
    async run(rehearsal) {
      if (hasPassed(rehearsal, 'reproduction')) return 'its record is there already'
      const words = [...release(rehearsal), '--repository', rehearsal.places.head]
      return lastLine(await rehearsal.passes('reproduce', ...words))
    },
  },
  {
    name: 'accept',
    says: 'rel accept: the tarballs installed in an empty folder, every cell on every database',
    async run(rehearsal) {
      if (hasPassed(rehearsal, 'acceptance')) return 'its record is there already'
      const databases = rehearsal.databases.flatMap(({ argument }) => ['--database', argument])
      const words = [...release(rehearsal), '--suite', join(root, 'tests/acceptance'), ...databases]
      return lastLine(await rehearsal.passes('accept', ...words))
    },
  },
  {
    name: 'approve',
    says: 'rel approve: another person signs exactly these digests',
    async run(rehearsal) {
      const { distTag } = targetOf(rehearsal)
      const where = ['--registry', rehearsal.registry.url, '--dist-tag', distTag]
      const words = ['--policy', policyOf(rehearsal), '--key', keyOf(rehearsal, approver), ...where]
      return lastLine(await rehearsal.passes('approve', ...release(rehearsal), ...words))
    },
  },
  {
    name: 'dry-run',
    says: 'rel publish --dry-run: the whole pre-flight, nothing sent',
    async run(rehearsal) {
      return lastLine(await rehearsal.passes(...publishWords(rehearsal), '--dry-run'))
    },
  },
  {
    name: 'publish',
    says: 'rel publish: tier by tier, each file read back before the next tier',
    async run(rehearsal) {
      const again = existsSync(join(rehearsal.places.ledger, 'in-progress.json')) ? ['--resume'] : []
      return lastLine(await rehearsal.passes(...publishWords(rehearsal), ...again))
    },
  },
  {
    name: 'readback',
    says: 'rel readback: metadata, bytes, tags, and a fresh install from the registry',
    async run(rehearsal) {
      if (hasPassed(rehearsal, 'readback')) return 'its record is there already'
      // For the demonstration at the end: the evidence as it is before anybody has read back.
      copyAnew(rehearsal.places.evidence, unread(rehearsal))
      const words = [...release(rehearsal), '--registry', rehearsal.registry.url, '--fresh-install']
      return lastLine(await rehearsal.passes('readback', ...words))
    },
  },
  {
    name: 'tuple',
    says: 'rel tuple append: the set enters the ledger, the pointer moves last',
    async run(rehearsal) {
      const { ledger } = rehearsal.places
      await rehearsal.passes('tuple', 'append', ...release(rehearsal), '--ledger', ledger)
      return lastLine(await rehearsal.passes('tuple', 'verify', '--ledger', ledger))
    },
  },
  {
    name: 'pin',
    says: 'rel pin and rel verify-pins: a consumer with a nested app installs exactly that set',
    async run(rehearsal) {
      const { consumer, ledger } = rehearsal.places
      const { version, names } = targetOf(rehearsal)
      await installConsumer(rehearsal, version, names)
      await rehearsal.passes('pin', '--ledger', ledger, '--into', consumer)
      return lastLine(await rehearsal.passes('verify-pins', consumer, '--ledger', ledger))
    },
  },
  {
    name: 'watch',
    says: 'rel watch: the registry still serves the same bytes under the same tags',
    async run(rehearsal) {
      const words = ['--registry', rehearsal.registry.url, '--dist-tag', targetOf(rehearsal).distTag]
      return lastLine(
        await rehearsal.passes('watch', '--tuple', join(rehearsal.places.evidence, 'tuple.json'), ...words),
      )
    },
  },
  {
    name: 'withdraw',
    says: 'rel withdraw on a copy of the ledger: the tuple stays, and nobody may pin it any more',
    async run(rehearsal) {
      const copy = join(rehearsal.places.out, 'ledger-withdrawn')
      copyAnew(rehearsal.places.ledger, copy)
      const { version } = targetOf(rehearsal)
      const why = ['--tuple', '1', '--reason', 'a rehearsal of a withdrawal', '--successor', nextPatchOf(version)]
      await rehearsal.passes('withdraw', '--ledger', copy, ...why)
      const into = join(rehearsal.places.out, 'pins-withdrawn')
      return rehearsal.refuses('release_withdrawn', 'pin', '--ledger', copy, '--tuple', '1', '--into', into)
    },
  },
  {
    name: 'verify',
    says: 'what a stranger does with a copy of the evidence: sha256sum -c and rel verify, files only',
    async run(rehearsal) {
      const copy = join(rehearsal.places.out, 'evidence-copy')
      copyAnew(rehearsal.places.evidence, copy)
      const sums = await rehearsal.run('sha256sum', ['-c', '--quiet', 'SHA256SUMS'], copy)
      if (sums.exitCode !== 0) throw new StepFailed(`sha256sum -c: ${tail(sums)}`)
      const files = readFileSync(join(copy, 'SHA256SUMS'), 'utf8').split('\n').length - 1
      const lines = await rehearsal.passes('verify', copy, '--policy', policyOf(rehearsal))
      return `sha256sum -c: ${files} files fine; rel verify: ${lastLine(lines)}`
    },
  },
  {
    name: 'tampered-tarball',
    says: 'demonstration: one byte of one published tarball changes in the storage of the registry',
    async run(rehearsal) {
      const { storage, url } = rehearsal.registry
      const copy = join(rehearsal.places.out, 'evidence-tampered')
      copyAnew(unread(rehearsal), copy)
      const giveBack = flipByteOfPublished(storage, openEvidence(copy).manifest.packages)
      try {
        return await rehearsal.refuses('readback_bytes_mismatch', 'readback', '--release', copy, '--registry', url)
      } finally {
        giveBack()
      }
    },
  },
  {
    name: 'changed-lockfile',
    says: 'demonstration: one entry of the nested lockfile of the consumer changes',
    async run(rehearsal) {
      const { consumer } = rehearsal.places
      const giveBack = changeNestedEntry(consumer, '@durable-workflow/sdk')
      try {
        return await rehearsal.refuses('pin_integrity_mismatch', 'verify-pins', consumer)
      } finally {
        giveBack()
      }
    },
  },
]

function publishWords(rehearsal: Rehearsal): readonly string[] {
  const { places, registry } = rehearsal
  const { distTag } = targetOf(rehearsal)
  const where = ['--registry', registry.url, '--dist-tag', distTag, '--userconfig', registry.userconfig]
  return ['publish', ...release(rehearsal), '--policy', policyOf(rehearsal), '--ledger', places.ledger, ...where]
}

function nextPatchOf(version: string): string {
  const [major, minor, patch] = version.split(/[.-]/)
  return `${major}.${minor}.${Number(patch) + 1}`
}
