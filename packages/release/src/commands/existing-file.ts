import { statSync } from 'node:fs'
import { Misused } from '../refusal.ts'

/** A file that a person named on the command line. @throws Misused when there is none, or it is a folder */
export function existingFile(file: string): string {
  if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) throw new Misused(`there is no file ${file}`)
  return file
}
