import { createPrivateKey, type KeyObject } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Command, Given } from '../command.ts'
import { openEvidence } from '../evidence.ts'
import { readPolicy } from '../policy.ts'
import { Misused } from '../refusal.ts'
import { registryUrl } from '../registry/registry.ts'
import { approve as approveRelease } from '../stages/approve.ts'
import { keepingSums } from '../sums.ts'
import { existingFile } from './existing-file.ts'

/** `rel approve`: signs the digests of a release, its registry and its dist-tag. */
export const approve: Command = {
  name: 'approve',
  says: 'signs what was reproduced and accepted, for one registry and one dist-tag',
  words: '',
  options: {
    release: { type: 'string', required: true, says: 'evidence folder' },
    policy: { type: 'string', required: true, says: 'your own copy of the policy, from the protected branch' },
    key: { type: 'string', required: true, says: 'your private key, as rel keygen writes it' },
    registry: { type: 'string', required: true, says: 'URL where it may be published' },
    'dist-tag': { type: 'string', required: true, says: 'tag that it may get' },
    hours: { type: 'string', says: 'how long this holds; what the policy allows unless given' },
  },
  async run(given, context) {
    const folder = given.text('release')
    const policy = readPolicy(given.text('policy'))
    const hours = hoursOf(given, policy.policy.approval.hours)
    const privateKey = privateKeyIn(given.text('key'))
    const registry = registryUrl(given.text('registry'))
    const distTag = given.text('dist-tag')
    const evidence = openEvidence(folder)
    return await keepingSums(folder, async () => {
      const { file, sha256 } = await approveRelease(context, { evidence, policy, privateKey, registry, distTag, hours })
      const { releaseId } = evidence
      return {
        lines: [`approved ${releaseId} for ${registry} as ${distTag}`, `records/${file} ${sha256}`],
        json: { releaseId, registry, distTag, record: file, sha256 },
      }
    })
  },
}

function hoursOf(given: Given, most: number): number {
  const text = given.optional('hours') ?? String(most)
  const hours = Number(text)
  if (!/^\d+$/.test(text) || hours < 1 || hours > most) {
    throw new Misused(`--hours ${text}: the policy allows 1 to ${most}`)
  }
  return hours
}

function privateKeyIn(file: string): string {
  const pem = readFileSync(existingFile(file), 'utf8')
  if (parsed(pem, file).asymmetricKeyType !== 'ed25519') throw new Misused(`${file} holds no Ed25519 key`)
  return pem
}

function parsed(pem: string, file: string): KeyObject {
  try {
    return createPrivateKey(pem)
  } catch {
    throw new Misused(`${file} holds no private key in PEM`) // what was wrong inside is nobody's business
  }
}
