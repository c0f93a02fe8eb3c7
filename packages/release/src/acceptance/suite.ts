// A suite: what is run against an installed release, as data and programs of whoever makes the release.
//
//   suite.json         the programs, third-party packages, the probe
//   programs/…         copied beside the installed packages
//   cells/ID.json      one thing that must work, as steps
//   probes/ID.json     a cell that tells the release from its predecessor
//
// Owns:      the shapes, reading a folder of that form.
// Does not:  know any program or step of it: steps that are not about processes go to the driver as they are.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isJson, type Json } from '../canonical.ts'
import { refuseUnless } from '../guard.ts'
import { Misused } from '../refusal.ts'
import { integer, list, object, oneOf, type Shape, type Shaped, shaped, table, text } from '../shape.ts'
import { treeOfFolder } from './identity.ts'

/** A command, word by word, and its environment; `{server}` and the like are filled in. */
const program = object({ command: list(text()), env: table(text()) })

const suiteShape = object({
  schema: oneOf('durable-workflow.release/suite/v1'),
  /** What the programs use besides the release: name → exact version. */
  packages: table(text()),
  /** What the record names as a peer → the package of the set that it is. */
  peers: table(text()),
  /** Called with `prepare` (answers `{url, version}`) and `remove` (answers `{left: []}`). */
  database: program,
  /** Prints `{ready: true, url}`. */
  server: program,
  /** Prints `{ready: true, url}`, then answers each line of its input: `{id, step, remainingMs}` → `{id, ok, assertions, trouble, value}`. */
  driver: program,
  /** Prints `{ready: true}`. */
  worker: program,
  /** Makes the tarballs of a predecessor that is broken on purpose; run in the folder of the suite. */
  predecessor: program,
})

/** What a step says; `do` is its verb. */
export type Step = Readonly<Record<string, Json>> & { readonly do: string }

const isStep = (value: unknown): value is Step =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  'do' in value &&
  typeof value.do === 'string' &&
  isJson(value)

const step: Shape<Step> = {
  holds(value, at): value is Step {
    refuseUnless(isStep(value), 'record_schema_invalid', { at, wanted: 'a step: an object of JSON with `do`' })
    return true
  },
}

const cellShape = object({
  schema: oneOf('durable-workflow.release/cell/v1'),
  /** What it shows, for people. */
  says: text(),
  /** Milliseconds for all rounds together. */
  deadlineMs: integer(1),
  /** How often the steps are gone through. */
  rounds: integer(1),
  steps: list(step),
})

/** A program of a suite. */
export type Program = Shaped<typeof program>

/** A cell with its name. */
export interface Cell extends Shaped<typeof cellShape> {
  readonly id: string
}

/** A suite as it lies in a folder. */
export interface Suite extends Shaped<typeof suiteShape> {
  readonly folder: string
  /** Of every file of the folder: programs, cells, probes. */
  readonly treeSha256: string
}

/** @throws Misused when the folder has no suite; Refused record_schema_invalid, record_unknown_field */
export function readSuite(folder: string): Suite {
  const content = shaped(suiteShape, readJson(join(folder, 'suite.json')), 'suite')
  return { ...content, folder, treeSha256: treeOfFolder(folder) }
}

/** @throws Misused when the suite has no such cell; Refused record_schema_invalid, record_unknown_field */
export const readCell = (suite: Suite, id: string): Cell => cellOf(join(suite.folder, 'cells', `${id}.json`), id)

/** @throws Misused when the suite has no such probe; Refused record_schema_invalid, record_unknown_field */
export const readProbe = (suite: Suite, id: string): Cell => cellOf(join(suite.folder, 'probes', `${id}.json`), id)

function cellOf(file: string, id: string): Cell {
  return { id, ...shaped(cellShape, readJson(file), id) }
}

function readJson(file: string): unknown {
  if (!existsSync(file)) throw new Misused(`the suite has no ${file}`)
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new Misused(`${file} is no JSON: ${error instanceof Error ? error.message : error}`)
  }
}

/** Fills `{name}` in a word. @throws Misused for a name that nothing stands for here */
export const filled = (word: string, values: Readonly<Record<string, string>>): string =>
  word.replaceAll(/\{([a-z]+)\}/g, (whole, name: string) => {
    const value = values[name]
    if (value === undefined) throw new Misused(`the suite says ${whole}, which stands for nothing there`)
    return value
  })
