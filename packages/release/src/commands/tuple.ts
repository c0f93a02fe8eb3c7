import { type Answer, type Command, countOf, type Given } from '../command.ts'
import type { Context } from '../context.ts'
import { type Ledger, openLedger } from '../ledger.ts'
import { Misused } from '../refusal.ts'
import { appendTuple, type Known, verifyLedger } from '../stages/tuple.ts'
import { writeSums } from '../sums.ts'

/** `rel tuple append | show | verify`: the ledger of verified sets of versions. */
export const tuple: Command = {
  name: 'tuple',
  says: 'enters a release that was read back into the ledger; shows the ledger; checks it',
  words: 'append|show|verify',
  options: {
    ledger: { type: 'string', required: true, says: 'folder of the ledger' },
    release: { type: 'string', says: 'append: evidence folder' },
    known: { type: 'string', says: 'verify: the number of entries that was seen before' },
    'known-sha256': { type: 'string', says: 'verify: the digest of that entry, as show tells it' },
  },
  async run(given, context) {
    const [word, ...more] = given.words
    if (more.length > 0) throw new Misused('rel tuple takes one word')
    if (word === 'append') return append(given, context)
    if (word === 'show') return shown(openLedger(given.text('ledger')))
    if (word === 'verify') return shown(verifyLedger(given.text('ledger'), knownOf(given)))
    throw new Misused('rel tuple append, show or verify')
  },
}

function append(given: Given, context: Context): Answer {
  const folder = given.text('release')
  const { record, file, sha256 } = appendTuple(context, folder, given.text('ledger'))
  writeSums(folder)
  const { sequence, version, channel, releaseId } = record
  return {
    lines: [
      `verified ${releaseId}: tuple ${sequence} of the ledger, ${channel} points to ${version}`,
      `${file} ${sha256}`,
    ],
    json: { sequence, releaseId, version, channel, entry: file, sha256 },
  }
}

function knownOf(given: Given): Known | undefined {
  const known = given.optional('known')
  const sha256 = given.optional('known-sha256')
  if (sha256 !== undefined && !/^[0-9a-f]{64}$/.test(sha256)) throw new Misused('--known-sha256 takes a sha256 in hex')
  if (known === undefined && sha256 !== undefined) throw new Misused('--known-sha256 needs --known')
  return known === undefined
    ? undefined
    : { sequence: countOf('known', known), ...(sha256 !== undefined && { sha256 }) }
}

function shown({ entries, pointers }: Ledger): Answer {
  const lines = entries.map(({ kind, record, sha256 }) => {
    const says =
      kind === 'tuple'
        ? `${record.channel} ${record.version}`
        : `withdrawn ${record.releaseId} → ${record.successor}: ${record.reason}`
    return `${String(record.sequence).padStart(4, '0')}  ${sha256}  ${record.at}  ${says}`
  })
  return {
    lines: [...lines, ...pointers.map(({ channel, sequence, version }) => `${channel} → ${sequence} (${version})`)],
    json: { entries: entries.map(({ file, sha256, record }) => ({ file, sha256, ...record })), pointers },
  }
}
