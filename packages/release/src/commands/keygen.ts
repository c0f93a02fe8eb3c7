import { generateKeyPairSync } from 'node:crypto'
import { closeSync, existsSync, openSync, writeSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { canonicalText } from '../canonical.ts'
import type { Command } from '../command.ts'
import { isFolder } from '../kind-of-path.ts'
import { Misused } from '../refusal.ts'
import { publicKeyOf } from '../sign.ts'

/** `rel keygen`: makes an approver's key; only its public half is printed, for the policy. */
export const keygen: Command = {
  name: 'keygen',
  says: 'makes the key of an approver, and prints its entry for the policy',
  words: '',
  options: {
    out: { type: 'string', required: true, says: 'new file for the private key; only you may read it' },
    id: { type: 'string', required: true, says: 'id of the key: small letters, digits, -' },
    person: { type: 'string', required: true, says: 'whose key it is' },
    role: { type: 'string', required: true, says: 'what the person is to the project' },
  },
  async run(given) {
    const out = given.text('out')
    const id = given.text('id')
    if (!/^[a-z0-9-]+$/.test(id)) throw new Misused(`--id ${id}: small letters, digits and - only`)
    if (!isFolder(dirname(resolve(out)))) throw new Misused(`--out ${out}: the folder in which it lies is not there`)
    if (existsSync(out)) throw new Misused(`${out} is there; a key is never overwritten`)
    const { privateKey } = generateKeyPairSync('ed25519')
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
    writeSecret(out, pem)
    const entry = { id, person: given.text('person'), role: given.text('role'), publicKey: publicKeyOf(pem) }
    return {
      lines: [
        `The private key is in ${out}. Propose this entry for approval.keys of the policy:`,
        ...canonicalText(entry).trimEnd().split('\n'),
      ],
      json: { entry },
    }
  },
}

function writeSecret(path: string, content: string): void {
  const file = openSync(path, 'wx', 0o600)
  try {
    writeSync(file, content)
  } finally {
    closeSync(file)
  }
}
