import { statSync } from 'node:fs'
import { join } from 'node:path'
import { manifestFile } from '../evidence.ts'
import { Misused } from '../refusal.ts'

/** A file that a person named on the command line. @throws Misused when there is none, or it is a folder */
export function existingFile(file: string): string {
  if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) throw new Misused(`there is no file ${file}`)
  return file
}

/** The manifest of a release that a person named by itself or by its evidence folder. @throws Misused when there is none */
export function manifestAt(path: string): string {
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
  return existingFile(isFolder ? join(path, manifestFile) : path)
}
