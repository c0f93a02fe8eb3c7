import { type Cell, type Sdk, scenarios } from './matrix.ts'

export interface Row extends Cell {
  readonly result: 'passed' | 'failed' | 'skipped'
  readonly seconds: number
  readonly note: string
}

/** One JSON line a cell, as scripts read it. */
export function jsonLine(row: Row): string {
  const { sdk, scenario, database, protocol, result, seconds, note } = row
  return JSON.stringify({ sdk, scenario, database, protocol, result, seconds, note })
}

const header = ['sdk', 'scenario', 'database', 'protocol', 'result', 'seconds', 'note']
const noteMax = 400
const widths = [7, 28, 9, 9, 8, 8]

/** The title line of the table. */
export const tableHeader = (): string => padded(header)

/** One line of the table. */
export function tableLine(row: Row): string {
  const text = row.note.replaceAll(/\s+/g, ' ')
  const note = text.length > noteMax ? `${text.slice(0, noteMax)} …` : text
  return padded([row.sdk, row.scenario, row.database, row.protocol, row.result, row.seconds.toFixed(1), note])
}

/** What is not in the matrix yet, so that nobody takes it for tested. */
export function laterLines(): string[] {
  const sdks: readonly Sdk[] = ['python', 'rust']
  return sdks.flatMap((sdk) =>
    Object.entries(scenarios[sdk].later).map(([scenario, why]) => padded([sdk, scenario, '', '', 'later', '', why])),
  )
}

/** `N passed, N failed`: the last line of every run. */
export function summaryLine(rows: readonly Row[]): string {
  const count = (result: Row['result']): number => rows.filter((row) => row.result === result).length
  return `${count('passed')} passed, ${count('failed')} failed`
}

function padded(cells: readonly string[]): string {
  return cells
    .map((cell, index) => cell.padEnd(widths[index] ?? 0))
    .join(' ')
    .trimEnd()
}
