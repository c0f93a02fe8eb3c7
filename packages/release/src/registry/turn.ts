// Whose turn it is to publish from an evidence folder: one program at a time, and a dead one does not hold it for ever.
//
//   publishing-0001.json   who has the turn; the highest number counts
//
//   TU1  At most one living program has the turn.
//   TU2  The turn of a program that died is taken by making the next number, which only one can.
import { linkSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { fieldsOf, numberOf, parsedJson, textOf } from '../fields.ts'
import { refuseUnless } from '../guard.ts'

const turnName = /^publishing-(\d{4,})\.json$/

/**
 * Takes the turn.
 *
 * @returns gives it back
 * @throws Refused release_in_progress: a program is at work, or one on another host may be
 * @source P-62
 */
export function takeTurn(folder: string): () => void {
  const holder = claimedBy(folder)
  refuseUnless(holder === 'us', 'release_in_progress', { holder })
  return () => {
    for (const file of turnsOf(folder)) rmSync(join(folder, file))
  }
}

/** Whose the turn is, after we tried to have it. */
function claimedBy(folder: string): string {
  const last = turnsOf(folder).at(-1)
  if (last !== undefined) {
    const holder = fieldsOf(parsedJson(readFileSync(join(folder, last), 'utf8')))
    const [host, pid] = [textOf(holder.host), numberOf(holder.pid)]
    if (!isDead(host, pid)) return `process ${pid} on ${host}`
  }
  const next = Number(turnName.exec(last ?? '')?.[1] ?? 0) + 1
  const mine = `publishing-${String(next).padStart(4, '0')}.json`
  return isMade(folder, mine) ? 'us' : 'a program that came first' // TU2
}

const turnsOf = (folder: string): readonly string[] =>
  readdirSync(folder)
    .filter((file) => turnName.test(file))
    .toSorted()

/** Made whole beside it and linked, so that nobody reads half of it. */
function isMade(folder: string, file: string): boolean {
  const draft = join(folder, `${file}.${process.pid}.draft`)
  writeFileSync(draft, JSON.stringify({ host: hostname(), pid: process.pid }))
  try {
    linkSync(draft, join(folder, file))
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  } finally {
    rmSync(draft)
  }
}

/** Only a process of this host can be known to be dead. */
function isDead(host: string | null, pid: number | null): boolean {
  if (host !== hostname() || pid === null) return false
  try {
    process.kill(pid, 0)
    return false
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ESRCH'
  }
}
