import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from '../command.ts'
import { openLedger } from '../ledger.ts'
import { pinsFile, readPins } from '../pins.ts'
import { Misused, type Refused } from '../refusal.ts'
import { type CheckedLockfile, type PinsReport, verifyPins as verify } from '../stages/verify-pins.ts'

/** `rel verify-pins DIR`: whether all lockfiles below a folder hold what the pins say. */
export const verifyPins: Command = {
  name: 'verify-pins',
  says: 'checks all lockfiles and manifests below a folder against the pins',
  words: 'DIR',
  options: {
    pins: { type: 'string', says: `the pins; ${pinsFile} of the folder unless given` },
    ledger: {
      type: 'string',
      says: 'folder of the ledger: were the pins withdrawn, which versions were ever verified',
    },
    'allow-checksum': { type: 'boolean', says: 'compare lockfiles of Yarn 2 and later by versions alone' },
  },
  async run(given) {
    const [folder, ...more] = given.words
    if (folder === undefined || more.length > 0) throw new Misused('rel verify-pins takes one folder')
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) throw new Misused(`${folder} is no folder`)
    const pins = readPins(given.optional('pins') ?? join(folder, pinsFile))
    const ledger = given.optional('ledger')
    const report = verify(folder, {
      pins,
      ...(ledger !== undefined && { ledger: openLedger(ledger) }),
      allowChecksum: given.flag('allow-checksum'),
    })
    return {
      lines: [`pins of ${pins.releaseId}, tuple ${pins.sequence}`, ...linesOf(report)],
      json: {
        releaseId: pins.releaseId,
        ...report,
        problems: report.problems.map(({ code, exit, facts, message, next }) => ({ code, exit, facts, message, next })),
      },
      refusal: report.problems[0],
    }
  },
}

function linesOf({ lockfiles, manifests, skipped, problems }: PinsReport): readonly string[] {
  const entries = lockfiles.reduce((total, one) => total + one.entries, 0)
  return [
    ...lockfiles.map(lineOf),
    `${manifests.length} package.json, ${skipped.length} folders skipped (node_modules, .git, links)`,
    ...problems.flatMap(problemLines),
    problems.length === 0
      ? `all as pinned: ${counted(lockfiles.length, 'lockfile')}, ${entries} entries`
      : counted(problems.length, 'problem'),
  ]
}

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

const lineOf = ({ file, kind, version, entries, compared }: CheckedLockfile): string =>
  `  ${file} (${kind} ${version}): ${entries} entries${compared === 'versions' ? ', versions only' : ''}`

const problemLines = ({ code, facts }: Refused): readonly string[] => [
  code,
  ...Object.entries(facts).map(([name, value]) => `  ${name.padEnd(8)} ${value}`),
]
