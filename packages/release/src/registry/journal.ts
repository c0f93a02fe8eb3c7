// What publishing did, line by line, each durable before the next action; the record of the publication repeats them.
//
//   publication.jsonl   in the evidence folder; it outlives a publisher that dies
//
//   JO1  A line is on the disk before the next action begins.
//   JO2  A line that its writer could not finish is no line.
import { closeSync, existsSync, fsyncSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { journalFile } from '../evidence.ts'
import { action } from '../records/records.ts'
import { type Shaped, shaped } from '../shape.ts'

/** One action: what stood there before, what was done, what stands there now; unknown after an upload, which is read back next. */
export type Action = Shaped<typeof action>

/** The journal of a release. */
export interface Journal {
  /** All lines, those of earlier attempts first. */
  readonly lines: readonly Action[]
  add(line: Action): void
}

/** Opens the journal of an evidence folder; it is made with its first line. */
export function openJournal(folder: string): Journal {
  const path = join(folder, journalFile)
  const content = existsSync(path) ? readFileSync(path, 'utf8') : ''
  const whole = content.slice(0, content.lastIndexOf('\n') + 1) // JO2
  const lines = whole
    .split('\n')
    .filter((line) => line !== '')
    .map((line, index): Action => shaped(action, JSON.parse(line), `${journalFile}:${index + 1}`))
  let bytes = Buffer.byteLength(whole)
  return {
    lines,
    add(line) {
      const file = openSync(path, existsSync(path) ? 'r+' : 'wx')
      try {
        ftruncateSync(file, bytes)
        bytes += writeSync(file, `${JSON.stringify(line)}\n`, bytes)
        fsyncSync(file) // JO1
      } finally {
        closeSync(file)
      }
      lines.push(line)
    },
  }
}
