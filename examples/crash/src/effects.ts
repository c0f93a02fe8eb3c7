import { existsSync, readFileSync } from 'node:fs'

/** One line of the file that the activities write: an execution begins or ends. */
export interface Effect {
  readonly step: string
  readonly attempt: number
  readonly pid: number
  readonly what: 'begins' | 'ends'
}

export function readEffects(file: string): Effect[] {
  if (!existsSync(file)) return []
  const lines = readFileSync(file, 'utf8').split('\n')
  // The last line is empty, or still being written.
  return lines.slice(0, -1).map((line) => JSON.parse(line))
}
