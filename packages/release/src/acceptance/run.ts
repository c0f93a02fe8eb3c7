// The whole of an acceptance: installs, runs the cells on each database, runs the probe on both sides, and says what it saw.
//
// Owns:      the order of it, and the details of the record.
// Does not:  judge: what it saw is judged by `judge.ts`, whatever it was.
import { createHash } from 'node:crypto'
import { cpSync, createReadStream, existsSync, globSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { sha256 } from '../canonical.ts'
import type { Context } from '../context.ts'
import type { Manifest } from '../records/manifest.ts'
import type { DetailsOf } from '../records/records.ts'
import { Misused } from '../refusal.ts'
import { executedOf, installedCopies, treeOfSet } from './identity.ts'
import { leftFiles } from './leftovers.ts'
import { loadedFromElsewhere } from './loaded.ts'
import { install, makePlace, type PackedFile, type Place } from './place.ts'
import { redact } from './redact.ts'
import { start } from './running.ts'
import { type CellEnding, type Left, makeStand, troubleOf } from './stand.ts'
import { type Cell, filled, readCell, readProbe, type Suite } from './suite.ts'

type Details = DetailsOf<'acceptance'>
type CellResult = Details['cells'][number]
type Peers = Details['peers']

/** What is to be accepted, by what, and where. */
export interface Acceptance {
  readonly manifest: Manifest
  /** In the order of the manifest; their digests are checked. */
  readonly tarballs: readonly PackedFile[]
  readonly suite: Suite
  /** Cells and databases that the policy asks for. */
  readonly required: {
    readonly cells: readonly string[]
    readonly databases: readonly string[]
    readonly probe: string
  }
  /** Those that are run; the others are missing. */
  readonly cells: readonly string[]
  /** Database → its address; empty where its program makes one. A required one that is not here is blocked. */
  readonly databases: Readonly<Record<string, string>>
  /** Tarballs of the release before; without it, the suite makes one that is broken on purpose. */
  readonly predecessor: string | undefined
  /** Digests of peers that this machine cannot read: name → sha256. */
  readonly peers: Readonly<Record<string, string>>
}

/** What an acceptance saw. */
export interface Seen {
  /** `raw` is still empty: where the files are kept is the caller's. */
  readonly details: Details
  /** Outputs and histories, redacted: `sqlite/worker.log` → text. */
  readonly files: ReadonlyMap<string, string>
}

interface Tried {
  readonly cells: readonly CellResult[]
  readonly worker: Details['worker']
  readonly peers: Peers
  readonly left: Left
}

/** @throws Refused acceptance_cell_blocked, acceptance_failed: what cannot be installed; Error when the predecessor cannot be made */
export async function runAcceptance(context: Context, acceptance: Acceptance): Promise<Seen> {
  const { manifest, tarballs, suite, required } = acceptance
  const places: Place[] = []
  const removePlaces = () => {
    for (const { folder } of places) rmSync(folder, { recursive: true, force: true })
  }
  const files = new Map<string, string>()
  const keep = (path: string, text: string) => files.set(path, redact(text, secretsOf(acceptance)))
  const interrupt = () => process.exit(130)
  process.once('exit', removePlaces)
  process.once('SIGINT', interrupt)
  process.once('SIGTERM', interrupt)
  try {
    const place = makePlace(suite)
    places.push(place)
    context.progress(`installs ${tarballs.length} tarballs in ${place.consumer}`)
    await install(place, suite, tarballs)
    const names = manifest.packages.map(({ name }) => name)
    const before = installedCopies(place.consumer, names)
    const tried: Tried[] = []
    for (const database of required.databases) tried.push(await tryDatabase(context, acceptance, place, database, keep))
    const earlier = await placeBefore(context, acceptance, places)
    const probe = await runProbe(context, acceptance, place, earlier, keep)
    const after = installedCopies(place.consumer, names)
    const elsewhere = places.flatMap(({ consumer, folder }) => loadedFromElsewhere(consumer, join(folder, 'loaded')))
    const left = [...tried.map((one) => one.left), ...probe.left]
    const folders = leftFiles(place)
    removePlaces()
    folders.push(...places.filter(({ folder }) => existsSync(folder)).map(({ folder }) => folder))
    const details: Details = {
      peers: Object.assign({ node: await peerNode(), ...packedPeers(acceptance) }, ...tried.map(({ peers }) => peers)),
      executed: executedOf(before, after),
      loadedFromElsewhere: elsewhere.map((path) => redact(path, process.env)),
      worker: tried.flatMap(({ worker }) => worker),
      cells: tried.flatMap(({ cells }) => cells),
      probe: probe.seen,
      cleanup: {
        processes: left.flatMap(({ processes }) => processes).map((line) => redact(line, secretsOf(acceptance))),
        ports: left.flatMap(({ ports }) => ports),
        folders,
        rows: left.flatMap(({ rows }) => rows),
      },
      raw: {},
    }
    return { details, files }
  } finally {
    removePlaces()
    process.removeListener('exit', removePlaces)
    process.removeListener('SIGINT', interrupt)
    process.removeListener('SIGTERM', interrupt)
  }
}

/** Passwords of the databases count as secrets, beside what the environment of this process has. */
const secretsOf = ({ databases }: Acceptance): Readonly<Record<string, string | undefined>> => ({
  ...process.env,
  ...Object.fromEntries(
    Object.entries(databases).map(([name, url]) => [
      `PASSWORD_${name}`,
      URL.canParse(url) ? new URL(url).password : '',
    ]),
  ),
})

const nothingLeft: Left = { processes: [], ports: [], rows: [] }

async function tryDatabase(
  context: Context,
  acceptance: Acceptance,
  place: Place,
  database: string,
  keep: (path: string, text: string) => void,
): Promise<Tried> {
  const { suite, required, databases, peers } = acceptance
  const cells: CellResult[] = []
  const note = (id: string, result: CellResult['result'], trouble: string | null) =>
    cells.push({ id, database, result, duration: 0, assertions: 0, historySha256: null, trouble })
  const databaseUrl = databases[database]
  if (databaseUrl === undefined) {
    for (const id of required.cells) note(id, 'blocked', `no database ${database} was named: --database ${database}`)
    return { cells, worker: [], peers: {}, left: nothingLeft }
  }
  const stand = makeStand({ place, suite, database, databaseUrl })
  let worker: Details['worker'] = []
  let known: Peers = {}
  try {
    const begun = await stand.begin()
    known = { [database]: { version: begun.database.version, sha256: peers[database] ?? begun.database.sha256 } }
    for (const id of required.cells) {
      if (acceptance.cells.includes(id)) {
        const ending = await stand.run(readCell(suite, id))
        context.progress(`${database} ${id}: ${ending.trouble ?? `passed in ${ending.duration} ms`}`)
        cells.push(resultOf(id, database, ending, acceptance))
        if (ending.history !== null) keep(`${database}/${id}.history.json`, ending.history)
      } else note(id, 'missing', 'it was left out')
    }
    const last = await stand.identify().catch((error: unknown) => ({ pid: 0, startedAt: troubleOf(error) }))
    worker = [
      {
        database,
        pidFirst: begun.worker.pid,
        startedFirst: begun.worker.startedAt,
        pidLast: last.pid,
        startedLast: redact(last.startedAt, secretsOf(acceptance)),
      },
    ]
  } catch (error) {
    const trouble = redact(troubleOf(error), secretsOf(acceptance))
    context.progress(`${database}: ${trouble}`)
    for (const id of required.cells.filter((cell) => !cells.some((one) => one.id === cell))) note(id, 'failed', trouble)
  }
  const left = await stand.end()
  for (const [file, text] of stand.logs()) keep(`${database}/${file}`, text)
  return { cells, worker, peers: known, left }
}

function resultOf(id: string, database: string, ending: CellEnding, acceptance: Acceptance): CellResult {
  const { trouble, duration, assertions, history } = ending
  return {
    id,
    database,
    result: trouble === null ? 'passed' : 'failed',
    duration,
    assertions,
    historySha256: history === null ? null : sha256(redact(history, secretsOf(acceptance))),
    trouble: trouble === null ? null : redact(trouble, secretsOf(acceptance)),
  }
}

/** Another folder with the release before this one. */
async function placeBefore(context: Context, acceptance: Acceptance, places: Place[]): Promise<Place> {
  const place = makePlace(acceptance.suite)
  places.push(place)
  const folder = acceptance.predecessor ?? (await brokenPredecessor(acceptance, place))
  const tarballs = acceptance.manifest.packages.flatMap(({ name }) => {
    const file = globSync(`${flat(name)}-[0-9]*.tgz`, { cwd: folder })[0]
    return file === undefined ? [] : [{ name, file: join(folder, file) }]
  })
  if (tarballs.length === 0) throw new Misused(`${folder} has no tarball of a package of this set`)
  context.progress(`installs the predecessor: ${tarballs.length} tarballs`)
  await install(place, acceptance.suite, tarballs)
  return place
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

interface Probed {
  readonly seen: Details['probe']
  readonly left: readonly Left[]
}

/** The same probe, with the same bound, on both sides. The predecessor must have worked before it fails. */
async function runProbe(
  context: Context,
  acceptance: Acceptance,
  place: Place,
  earlier: Place,
  keep: (path: string, text: string) => void,
): Promise<Probed> {
  const probe = readProbe(acceptance.suite, acceptance.required.probe)
  const before = await probed(acceptance, earlier, probe)
  if (!before.begun) throw new Error(`the predecessor does not work at all: ${before.trouble}`)
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

/** Packages of the set that others speak to: their tarballs. */
function packedPeers({ suite, manifest }: Acceptance): Peers {
  return Object.fromEntries(
    Object.entries(suite.peers).map(([peer, name]) => {
      const packed = manifest.packages.find((one) => one.name === name)
      return [peer, { version: packed?.version ?? 'unknown', sha256: packed?.file.sha256 ?? null }]
    }),
  )
}

async function peerNode(): Promise<Peers[string]> {
  const digest = createHash('sha256')
  for await (const chunk of createReadStream(process.execPath)) digest.update(chunk)
  return { version: process.version.slice(1), sha256: digest.digest('hex') }
}
