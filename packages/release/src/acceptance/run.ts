// The whole of an acceptance: installs, runs the cells on each database, runs the probe on both sides, and says what it saw.
//
// Owns:      the order of it, and the details of the record.
// Does not:  judge: what it saw is judged by `judge.ts`, whatever it was.
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { sha256 } from '../canonical.ts'
import type { Context } from '../context.ts'
import type { DetailsOf } from '../records/records.ts'
import { sha256OfFile } from '../sums.ts'
import { type Acceptance, secretsOf } from './acceptance.ts'
import { executedOf, installedCopies } from './identity.ts'
import { leftFiles } from './leftovers.ts'
import { loadedFromElsewhere } from './loaded.ts'
import { install, makePlace, type Place } from './place.ts'
import { installPredecessor, runProbe } from './probe.ts'
import { redact } from './redact.ts'
import { type CellEnding, type Left, makeStand, troubleOf } from './stand.ts'
import { readCell } from './suite.ts'

type Details = DetailsOf<'acceptance'>
type CellResult = Details['cells'][number]
type Peers = Details['peers']

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
  const safe = { ...context, progress: (line: string) => context.progress(redact(line, secretsOf(acceptance))) }
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
    context.progress(`installs ${tarballs.length} tarballs in ${place.consumer}, and the predecessor elsewhere`)
    const earlier = makePlace(suite)
    places.push(earlier)
    await bothOf(install(place, suite, tarballs), installPredecessor(acceptance, earlier))
    const names = manifest.packages.map(({ name }) => name)
    const before = installedCopies(place.consumer, names)
    const tried: Tried[] = []
    for (const database of required.databases) tried.push(await tryDatabase(safe, acceptance, place, database, keep))
    const probe = await runProbe(safe, acceptance, place, earlier, keep)
    const after = installedCopies(place.consumer, names)
    const elsewhere = places.flatMap(({ consumer, folder }) => loadedFromElsewhere(consumer, join(folder, 'loaded')))
    const left = [...tried.map((one) => one.left), ...probe.left]
    const folders = leftFiles(place)
    removePlaces()
    folders.push(...places.filter(({ folder }) => existsSync(folder)).map(({ folder }) => folder))
    const details: Details = {
      peers: Object.assign({ node: peerNode(), ...packedPeers(acceptance) }, ...tried.map(({ peers }) => peers)),
      executed: executedOf(before, after),
      loadedFromElsewhere: elsewhere.map((path) => redact(path, process.env)),
      worker: tried.flatMap(({ worker }) => worker),
      cells: tried.flatMap(({ cells }) => cells),
      probe: probe.seen,
      cleanup: {
        processes: left.flatMap(({ processes }) => processes).map((line) => redact(line, secretsOf(acceptance))),
        ports: left.flatMap(({ ports }) => ports),
        folders,
        rows: left.flatMap(({ rows }) => rows).map((line) => redact(line, secretsOf(acceptance))),
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

/** Waits for both, whatever becomes of the other: no npm runs on in a folder that is removed. @throws what the first threw */
async function bothOf(one: Promise<void>, other: Promise<void>): Promise<void> {
  await Promise.allSettled([one, other])
  await one
  await other
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

const peerNode = (): Peers[string] => ({
  version: process.version.slice(1),
  sha256: sha256OfFile(process.execPath),
})
