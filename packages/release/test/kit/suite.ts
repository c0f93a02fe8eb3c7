// A suite of whatever programs a test writes.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A cell without steps. */
export const emptyCell = {
  schema: 'durable-workflow.release/cell/v1',
  says: 'nothing',
  deadlineMs: 5_000,
  rounds: 1,
  steps: [],
} as const

type Part = 'database' | 'server' | 'driver' | 'worker' | 'predecessor'

/** Writes a suite into a folder, and answers with the folder. Texts are modules; a part without one ends at once. */
export function emptySuite(folder: string, texts: Partial<Record<Part, string>> = {}): string {
  mkdirSync(join(folder, 'programs'), { recursive: true })
  const programs = (['database', 'server', 'driver', 'worker', 'predecessor'] as const).map((part) => {
    writeFileSync(join(folder, `programs/${part}.mjs`), texts[part] ?? '')
    return [part, { command: ['{node}', `programs/${part}.mjs`], env: {} }] as const
  })
  const suite = {
    schema: 'durable-workflow.release/suite/v1',
    packages: {},
    peers: {},
    ...Object.fromEntries(programs),
  }
  writeFileSync(join(folder, 'suite.json'), JSON.stringify(suite))
  return folder
}
