// The proof that a probe tells the release from the one before it: the same probe, with the same bound, on both sides.
//
// Owns:      the predecessor, given or broken on purpose, and what the probe said of each side.
// Does not:  judge that.
import { cpSync, globSync, mkdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Context } from '../context.ts'
import type { DetailsOf } from '../records/records.ts'
import { Misused } from '../refusal.ts'
import { type Acceptance, secretsOf } from './acceptance.ts'
import { installedCopies, treeOfSet } from './identity.ts'
import { install, type Place } from './place.ts'
import { redact } from './redact.ts'
import { start } from './running.ts'
import { type Left, makeStand, troubleOf } from './stand.ts'
import { type Cell, filled, readProbe } from './suite.ts'

type Details = DetailsOf<'acceptance'>

/** Installs the release before this one in a place of its own. */
export async function installPredecessor(acceptance: Acceptance, place: Place): Promise<void> {
  const folder = acceptance.predecessor ?? (await brokenPredecessor(acceptance, place))
  const tarballs = acceptance.manifest.packages.flatMap(({ name }) => {
    const file = globSync(`${flat(name)}-[0-9]*.tgz`, { cwd: folder })[0]
    return file === undefined ? [] : [{ name, file: join(folder, file) }]
  })
  if (tarballs.length === 0) throw new Misused(`${folder} has no tarball of a package of this set`)
  await install(place, acceptance.suite, tarballs)
}

const flat = (name: string): string => name.replace('@', '').replace('/', '-')

async function brokenPredecessor({ suite, tarballs, manifest }: Acceptance, place: Place): Promise<string> {
  const accepted = join(place.folder, 'accepted')
  const out = join(place.folder, 'predecessor')
  mkdirSync(accepted)
  for (const { file } of tarballs) cpSync(file, join(accepted, basename(file)))
  const values = { node: process.execPath, tarballs: accepted, out, version: manifest.version }
  const maker = await start({
    name: 'predecessor',
    command: suite.predecessor.command.map((word) => filled(word, values)),
    cwd: suite.folder,
    env: { PATH: place.env.PATH ?? '', TMPDIR: join(place.folder, 'npm'), ...suite.predecessor.env },
  })
  const how = await maker.ended()
  if (how !== 'ended with code 0') throw new Error(`the predecessor was not made, ${how}: ${maker.lines.join(' | ')}`)
  return out
}

/** What the probe said, and what it left. */
export interface Probed {
  readonly seen: Details['probe']
  readonly left: readonly Left[]
}

/** The same probe, with the same bound, on both sides. The predecessor must have worked before it fails. */
export async function runProbe(
  context: Context,
  acceptance: Acceptance,
  place: Place,
  earlier: Place,
  keep: (path: string, text: string) => void,
): Promise<Probed> {
  const probe = readProbe(acceptance.suite, acceptance.required.probe)
  const before = await probed(acceptance, earlier, probe)
  if (!before.begun) {
    throw new Error(`the predecessor does not work at all: ${redact(before.trouble ?? '', secretsOf(acceptance))}`)
  }
  const after = await probed(acceptance, place, probe)
  for (const [side, { logs }] of Object.entries({ before, after })) {
    for (const [file, text] of logs) keep(`probe-${side}/${file}`, text)
  }
  context.progress(`probe ${probe.id}: before ${before.trouble ?? 'passed'}; after ${after.trouble ?? 'passed'}`)
  return {
    seen: {
      id: probe.id,
      sha256: acceptance.suite.treeSha256,
      before: sideOf(acceptance, earlier, before.trouble),
      after: sideOf(acceptance, place, after.trouble),
    },
    // The broken worker ends as it must, with an error; that is no mess of this release.
    left: [after.left],
  }
}

async function probed({ suite, databases }: Acceptance, place: Place, probe: Cell) {
  const [database = '', databaseUrl = ''] = Object.entries(databases)[0] ?? []
  const stand = makeStand({ place, suite, database, databaseUrl })
  let begun = false
  let trouble: string | null
  try {
    await stand.begin()
    begun = true
    trouble = (await stand.run(probe)).trouble
  } catch (error) {
    trouble = troubleOf(error)
  }
  const left = await stand.end()
  return { begun, trouble, left, logs: stand.logs() }
}

function sideOf({ manifest }: Acceptance, { consumer }: Place, trouble: string | null): Details['probe']['before'] {
  const names = manifest.packages.map(({ name }) => name)
  const copies = installedCopies(consumer, names)
  const [first] = copies
  return {
    version: first === undefined ? '0.0.0' : versionIn(join(consumer, first.realPath)),
    treeSha256: treeOfSet(copies),
    result: trouble === null ? 'passed' : 'failed',
  }
}

function versionIn(folder: string): string {
  const manifest: unknown = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  return typeof manifest === 'object' && manifest !== null && 'version' in manifest ? `${manifest.version}` : ''
}
