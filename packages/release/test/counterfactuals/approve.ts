// P-40 to P-45: who may approve what, and what an approval is good for.
import { generateKeyPairSync } from 'node:crypto'
import { canonicalText, sha256 } from '../../src/canonical.ts'
import type { Policy } from '../../src/policy.ts'
import type { Approved } from '../../src/records/records.ts'
import type { RefusalCode } from '../../src/refusal.ts'
import { signed } from '../../src/sign.ts'
import { type Approving, approve, checkApprovals, type Publishing } from '../../src/stages/approve.ts'
import { type Counterfactual, endingOf, lastRecorded } from '../kit/counterfactual.ts'
import { makeWorld, type World, type WorldOptions } from '../kit/world.ts'
import { approvalDetails, type WorldKey } from '../kit/world-details.ts'

type Shows = Counterfactual['shows']

const hour = 3_600_000

/** Approving a release that was accepted; the one thing that differs is in the world or in what the approver gives. */
function approving(
  shows: Shows,
  differs: string,
  code: RefusalCode,
  change: (world: World) => Partial<Approving>,
  options: { readonly unchanged?: WorldOptions; readonly changed?: WorldOptions } = {},
): Counterfactual {
  return {
    shows,
    differs,
    layer: 'U',
    code,
    async run(folder, run) {
      const changed = run === 'changed'
      const world = await makeWorld(folder, {
        until: 'acceptance',
        ...options.unchanged,
        ...(changed && options.changed),
      })
      const ending = await endingOf(() =>
        approve(world.context, {
          evidence: world.evidence(),
          policy: { policy: world.policy, sha256: world.policySha256 },
          privateKey: world.keys.alice.privateKey,
          registry: world.registry,
          distTag: world.distTag,
          ...(changed && change(world)),
        }),
      )
      return { ...ending, recorded: lastRecorded(folder) }
    },
  }
}

interface Approval {
  readonly by?: WorldKey
  readonly says?: Partial<Approved>
  readonly keyId?: string
  readonly signature?: (right: Approved, world: World) => string
}

/** Checking approvals before a publication; what differs is an approval, or what is to be published. */
function checking(
  shows: Shows,
  differs: string,
  code: RefusalCode,
  change: {
    readonly approvals?: (world: World) => readonly Approval[]
    readonly publishing?: (world: World) => Partial<Publishing>
  },
  options: WorldOptions = {},
): Counterfactual {
  return {
    shows,
    differs,
    layer: 'U',
    code,
    async run(folder, run) {
      const world = await makeWorld(folder, { ...options, until: 'acceptance' })
      const { keys, policy, policySha256, registry, distTag, context } = world
      const usual: readonly Approval[] = [{ by: keys.alice }, { by: keys.bob }].slice(0, options.threshold ?? 1)
      const changed = run === 'changed' ? change : {}
      for (const approval of changed.approvals?.(world) ?? usual)
        await world.append('approval', detailsOf(world, approval))
      return endingOf(() =>
        checkApprovals({
          evidence: world.evidence(),
          policy,
          policySha256,
          registry,
          distTag,
          now: context.now(),
          ...changed.publishing?.(world),
        }),
      )
    },
  }
}

function detailsOf(world: World, { by = world.keys.alice, says, keyId, signature }: Approval) {
  const details = approvalDetails(world, by, says)
  return {
    ...details,
    keyId: keyId ?? details.keyId,
    signature: signature?.(details.approved, world) ?? details.signature,
  }
}

const stranger: WorldKey = {
  id: 'stranger',
  person: 'Sam',
  privateKey: generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
}

/** The policy of the world, with something else about approvals. */
const withApproval = (change: (usual: Policy['approval']) => Partial<Policy['approval']>): WorldOptions => ({
  policy: (usual) => ({ approval: { ...usual.approval, ...change(usual.approval) } }),
})

const petraHasTwoKeys = withApproval(({ keys }) => ({
  keys: keys.map((key) => (key.id === 'alice' ? { ...key, person: 'Petra' } : key)),
}))

const byProducer = ({ keys }: World): readonly Approval[] => [{ by: keys.producer }]
const saying = (says: Partial<Approved>) => (): readonly Approval[] => [{ says }]
const later =
  (hours: number) =>
  ({ context }: World) => ({ now: new Date(context.now().getTime() + hours * hour) })

export const approveCases: readonly Counterfactual[] = [
  approving(['P-40'], 'the approver has the key of the producer', 'approval_self', ({ keys }) => ({
    privateKey: keys.producer.privateKey,
  })),
  approving(['P-40'], 'the approver has a second key and produced with the first', 'approval_self', () => ({}), {
    changed: petraHasTwoKeys,
  }),
  approving(['P-40'], 'the approver is named as a producer', 'approval_self', () => ({}), {
    changed: withApproval(() => ({ producers: ['Alice'] })),
  }),
  approving(['P-41'], 'the policy does not know the key', 'approval_key_unknown', () => ({
    privateKey: stranger.privateKey,
  })),
  approving(
    ['P-43'],
    'the approver’s policy is another than the manifest’s',
    'approval_scope_mismatch',
    ({ policy }) => ({
      policy: { policy, sha256: sha256('another') },
    }),
  ),
  approving(['P-64'], 'a stable version for the tag of prereleases', 'tag_policy_violation', () => ({
    distTag: 'next',
  })),
  approving(['P-64'], 'a prerelease for the tag of stable releases', 'tag_policy_violation', () => ({}), {
    unchanged: { channel: 'stable' },
    changed: { version: '1.2.3-rc.1' },
  }),
  approvingTooEarly('reproduction', 'stage_out_of_order'),
  approvingTooEarly('readback', 'stage_already_final'),

  checking(['P-40'], 'the producer approved', 'approval_self', { approvals: byProducer }),
  checking(['P-44'], 'nobody approved', 'approval_missing', { approvals: () => [] }),
  checking(['P-41'], 'a key that the policy does not know', 'approval_key_unknown', {
    approvals: () => [{ by: stranger }],
  }),
  checking(['P-41'], 'the right key id over the signature of another key', 'approval_signature_invalid', {
    approvals: ({ keys }) => [{ by: keys.bob, keyId: 'alice' }],
  }),
  checking(['P-41'], 'a valid signature over another digest', 'approval_signature_invalid', {
    approvals: ({ keys }) => [
      { signature: (right) => signed({ ...right, acceptanceSha256: sha256('another') }, keys.alice.privateKey) },
    ],
  }),
  checking(['P-42'], 'it is an hour too late', 'approval_expired', { publishing: later(25) }),
  checking(['P-42'], 'the approver gave it less time', 'approval_expired', {
    approvals: saying({ notAfter: '2026-11-30T12:29:59.999Z' }),
  }),
  checking(['P-42'], 'the approver gave it more time than the policy, and that is over', 'approval_expired', {
    approvals: saying({ notAfter: '2027-11-30T12:00:00.000Z' }),
    publishing: later(25),
  }),
  checking(['P-43'], 'the policy was edited afterwards', 'policy_changed_since_approval', {
    publishing: ({ policy }) => ({
      policySha256: sha256(canonicalText({ ...policy, approval: { ...policy.approval, hours: 48 } })),
    }),
  }),
  checking(
    ['P-44'],
    'one person of two approved',
    'approval_threshold_unmet',
    { approvals: ({ keys }) => [{ by: keys.alice }] },
    { threshold: 2 },
  ),
  checking(
    ['P-44'],
    'one person approved twice',
    'approval_threshold_unmet',
    { approvals: ({ keys }) => [{ by: keys.alice }, { by: keys.alice }] },
    { threshold: 2 },
  ),
  checking(['P-45'], 'an approval for the tag next', 'approval_scope_mismatch', {
    approvals: saying({ distTag: 'next' }),
  }),
  checking(['P-45'], 'it is published as next', 'approval_scope_mismatch', { publishing: () => ({ distTag: 'next' }) }),
  checking(['P-45'], 'an approval of fewer packages', 'approval_scope_mismatch', {
    approvals: saying({ packages: ['@x/engine@1.2.3', '@x/sdk@1.2.3'] }),
  }),
  checking(['P-38', 'P-45'], 'an approval of another release', 'approval_scope_mismatch', {
    approvals: saying({ releaseId: `1.2.3+${'0'.repeat(12)}` }),
  }),
  checking(['P-45'], 'an approval of another manifest', 'approval_scope_mismatch', {
    approvals: saying({ manifestSha256: sha256('another') }),
  }),
  checking(['P-45'], 'an approval of another reproduction', 'approval_scope_mismatch', {
    approvals: saying({ reproductionSha256: sha256('another') }),
  }),
  checking(['P-45'], 'an approval of another acceptance', 'approval_scope_mismatch', {
    approvals: saying({ acceptanceSha256: sha256('another') }),
  }),
  checking(['P-45'], 'an approval in another person’s name', 'approval_scope_mismatch', {
    approvals: saying({ approver: 'Bob' }),
  }),
  checking(['P-35'], 'an approval for another registry', 'registry_mismatch', {
    approvals: saying({ registry: 'http://127.0.0.1:4874/' }),
  }),
]

/** Approving when other stages have, or have not, run. */
function approvingTooEarly(until: 'reproduction' | 'readback', code: RefusalCode): Counterfactual {
  const { run, ...rest } = approving(['P-46'], `the last stage is ${until}, not acceptance`, code, () => ({}), {
    changed: { until },
  })
  // A stage that may not run leaves no record, so that the last one is another stage's.
  return { ...rest, run: async (folder, change) => ({ ...(await run(folder, change)), recorded: null }) }
}
