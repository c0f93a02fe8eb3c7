// How far a rehearsal came, so that `--resume` goes on where it was stopped.
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fields } from '../published.ts'

/** What must stay the same when a rehearsal goes on. */
export interface State {
  /** The commit of this repository that is rehearsed. */
  readonly commit: string
  /** Names of databases that acceptance runs on. */
  readonly databases: readonly string[]
  /** Port of the registry: approvals name its URL. Null before it was started. */
  readonly port: number | null
  /** Names of the steps that have passed, with their seconds. */
  readonly passed: Readonly<Record<string, number>>
}

const file = (out: string): string => join(out, 'rehearsal.json')

/** @throws Error when the folder holds no rehearsal */
export function readState(out: string): State {
  if (!existsSync(file(out))) throw new Error(`${out} holds no rehearsal; begin one with --out DIR`)
  const found = fields(JSON.parse(readFileSync(file(out), 'utf8')))
  const port = found.get('port')
  const databases = found.get('databases')
  return {
    commit: `${found.get('commit')}`,
    databases: Array.isArray(databases) ? databases.map(String) : [],
    port: typeof port === 'number' ? port : null,
    passed: Object.fromEntries([...fields(found.get('passed'))].map(([name, seconds]) => [name, Number(seconds)])),
  }
}

/** Whole or not at all: the next start may come after a crash. */
export function writeState(out: string, state: State): void {
  writeFileSync(`${file(out)}.draft`, `${JSON.stringify(state, null, 2)}\n`)
  renameSync(`${file(out)}.draft`, file(out))
}
