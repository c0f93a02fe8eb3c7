// Approvals: who may give one, what one is good for, and the two commands.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { canonicalText } from '../src/canonical.ts'
import { passed } from '../src/evidence.ts'
import { stateOf } from '../src/pipeline.ts'
import { checkApprovals } from '../src/stages/approve.ts'
import { approveCases } from './counterfactuals/approve.ts'
import { testCounterfactuals } from './kit/check.ts'
import { rel } from './kit/rel.ts'
import { makeWorld, type World } from './kit/world.ts'
import { approvalDetails } from './kit/world-details.ts'

const folder = mkdtempSync(join(tmpdir(), 'release-approve-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

testCounterfactuals(approveCases)

let names = 0
const fresh = (): string => join(folder, `${names++}`)

const keygen = (out: string) =>
  rel(['keygen', '--out', out, '--id', 'carol', '--person', 'Carol', '--role', 'maintainer', '--json'])

/** A release that was accepted under a policy that knows carol's key; the words of her approval. */
async function carolsWorld(): Promise<{ readonly world: World; readonly words: readonly string[] }> {
  const key = fresh()
  const [line = ''] = (await keygen(key)).out
  const world = await makeWorld(fresh(), {
    until: 'acceptance',
    policy: ({ approval }) => ({ approval: { ...approval, keys: [...approval.keys, JSON.parse(line).entry] } }),
  })
  const policy = join(world.folder, 'policy.json')
  const words = ['approve', '--release', world.folder, '--policy', policy, '--key', key, '--dist-tag', 'latest']
  return { world, words: [...words, '--registry', 'http://127.0.0.1:4873'] }
}

const publishing = ({ evidence, policy, policySha256, registry, distTag, context }: World) => ({
  evidence: evidence(),
  policy,
  policySha256,
  registry,
  distTag,
  now: context.now(),
})

test('a key that keygen made approves once the policy has its entry, and publishing accepts it', async () => {
  const { world, words } = await carolsWorld()
  expect(await rel(words, world.context)).toMatchObject({ exit: 0, err: [] })
  expect(stateOf(world.evidence())).toBe('approved')
  expect(passed(world.evidence(), 'approval').at(-1)?.record.details?.approved).toMatchObject({
    approver: 'Carol',
    registry: 'http://127.0.0.1:4873/',
    notAfter: '2026-12-01T12:30:00.000Z',
  })
  expect(() => checkApprovals(publishing(world))).not.toThrow()
})

test('the approver may give it fewer hours than the policy', async () => {
  const { world, words } = await carolsWorld()
  await rel([...words, '--hours', '2'], world.context)
  const approved = passed(world.evidence(), 'approval').at(-1)?.record.details?.approved
  expect(approved?.notAfter).toBe('2026-11-30T14:30:00.000Z')
})

test('after approving, and after a refusal, sha256sum accepts the folder', async () => {
  const { world, words } = await carolsWorld()
  for (const [tag, exit] of [
    ['next', 10],
    ['latest', 0],
  ] as const) {
    expect((await rel([...words, '--dist-tag', tag], world.context)).exit).toBe(exit)
    const checked = execFileSync('sha256sum', ['--strict', '--check', 'SHA256SUMS'], {
      cwd: world.folder,
      encoding: 'utf8',
    })
    expect(checked).toContain(`records/${world.evidence().records.at(-1)?.file}: OK`)
  }
})

test.each([
  ['more hours than the policy allows', ['--hours', '25']],
  ['no hours', ['--hours', '0']],
  ['hours that are no number', ['--hours', '1e1']],
  ['a registry that is no URL', ['--registry', 'there']],
  ['a registry of another kind', ['--registry', 'file:///registry/']],
  ['a registry with a password', ['--registry', 'http://u:secret@127.0.0.1/']],
  ['a registry with a query', ['--registry', 'http://127.0.0.1/?a']],
  ['a key that is not there', ['--key', '/nowhere/key']],
  ['a key that is none', ['--key', import.meta.filename]],
] as const)('an approval with %s is a wrong command line, and leaves no record', async (_, more) => {
  const { world, words } = await carolsWorld()
  const { exit, err } = await rel([...words, ...more], world.context)
  expect(exit).toBe(2)
  expect(err.join('\n')).not.toContain('secret')
  expect(world.evidence().records).toHaveLength(2)
})

test('keygen writes a key that only its owner reads, prints the public half only, and overwrites nothing', async () => {
  const out = fresh()
  const first = await keygen(out)
  expect(first.exit).toBe(0)
  const pem = readFileSync(out, 'utf8')
  expect(statSync(out).mode & 0o777).toBe(0o600)
  expect(first.out.join('\n')).not.toContain(pem.split('\n')[1])
  expect((await keygen(out)).exit).toBe(2)
  expect(readFileSync(out, 'utf8')).toBe(pem)
})

test('approvals that do not count do no harm while enough others do', async () => {
  const world = await makeWorld(fresh(), { until: 'acceptance', threshold: 2 })
  const { alice, bob } = world.keys
  await world.append('approval', approvalDetails(world, alice, { notAfter: '2026-11-30T12:00:00.000Z' }))
  await world.append('approval', approvalDetails(world, bob, { distTag: 'next' }))
  await world.append('approval', approvalDetails(world, alice))
  expect(() => checkApprovals(publishing(world))).toThrow('approval_scope_mismatch')
  await world.append('approval', approvalDetails(world, bob))
  expect(() => checkApprovals(publishing(world))).not.toThrow()
})

test('a policy with a key of another kind than Ed25519 is refused', async () => {
  const { world, words } = await carolsWorld()
  const policy = fresh()
  const keys = world.policy.approval.keys.map((key) => ({ ...key, publicKey: 'MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A' }))
  writeFileSync(policy, canonicalText({ ...world.policy, approval: { ...world.policy.approval, keys } }))
  const { exit, err } = await rel([...words, '--policy', policy], world.context)
  expect(exit).toBe(10)
  expect(err.join('\n')).toContain('record_schema_invalid')
})
