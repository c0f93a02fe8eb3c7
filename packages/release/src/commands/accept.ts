import { readSuite } from '../acceptance/suite.ts'
import type { Command } from '../command.ts'
import { openEvidence, policyOf } from '../evidence.ts'
import { Misused } from '../refusal.ts'
import { accept as acceptRelease } from '../stages/accept.ts'
import { keepingSums } from '../sums.ts'

/** `rel accept`: installs the tarballs elsewhere, runs the cells of a suite against them, and records what was seen. */
export const accept: Command = {
  name: 'accept',
  says: 'installs the tarballs outside of the repository and runs the cells of the policy against them',
  words: '',
  options: {
    release: { type: 'string', required: true, says: 'the evidence folder' },
    suite: { type: 'string', required: true, says: 'folder with suite.json, its programs and cells' },
    database: {
      type: 'string',
      multiple: true,
      required: true,
      says: 'NAME, or NAME=URL of a server on which a database may be made',
    },
    cell: { type: 'string', multiple: true, says: 'only this cell; the policy then misses the others' },
    predecessor: {
      type: 'string',
      says: 'folder with the tarballs of the release before; default: one broken on purpose',
    },
    peer: { type: 'string', multiple: true, says: 'NAME=SHA256 of a peer that this machine cannot read' },
  },
  async run(given, context) {
    const evidence = openEvidence(given.text('release'))
    const { cells, databases } = policyOf(evidence).policy.acceptance
    const chosen = given.all('cell')
    return await keepingSums(evidence.folder, async () => {
      const { file, record, sha256 } = await acceptRelease(context, {
        evidence,
        suite: readSuite(given.text('suite')),
        databases: known('database', databases, pairs(given.all('database'))),
        cells: chosen.length === 0 ? undefined : Object.keys(known('cell', cells, pairs(chosen))),
        predecessor: given.optional('predecessor'),
        peers: pairs(given.all('peer')),
      })
      return {
        lines: [
          `accepted ${record.releaseId}: ${cells.length} cells on ${databases.join(' and ')}`,
          `${sha256}  ${file}`,
        ],
        json: { releaseId: record.releaseId, record: file, sha256, cells, databases },
      }
    })
  },
}

/** `postgres=postgres://…` and `sqlite`, by what stands before the sign. */
const pairs = (words: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(
    words.map((word) => {
      const at = word.indexOf('=')
      return at === -1 ? [word, ''] : [word.slice(0, at), word.slice(at + 1)]
    }),
  )

function known<T>(
  what: string,
  names: readonly string[],
  given: Readonly<Record<string, T>>,
): Readonly<Record<string, T>> {
  const stranger = Object.keys(given).find((name) => !names.includes(name))
  if (stranger !== undefined) throw new Misused(`the policy has no ${what} ${stranger}; it has ${names.join(', ')}`)
  return given
}
