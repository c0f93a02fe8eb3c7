import { join } from 'node:path'
import { manifestFile } from '../evidence.ts'
import { gitAnswer } from '../git.ts'
import { isFile, isFolder } from '../kind-of-path.ts'
import { Misused } from '../refusal.ts'

/** A file that a person named on the command line. @throws Misused when there is none, or it is a folder */
export function existingFile(file: string): string {
  if (!isFile(file)) throw new Misused(`there is no file ${file}`)
  return file
}

/** The manifest of a release that a person named by itself or by its evidence folder. @throws Misused when there is none */
export function manifestAt(path: string): string {
  return existingFile(isFolder(path) ? join(path, manifestFile) : path)
}

/** A folder of a git repository that a person named. @throws Misused when it is none */
export function existingRepository(folder: string): string {
  const isRepository = isFolder(folder) && gitAnswer(folder, 'rev-parse', '--git-dir') !== undefined
  if (!isRepository) throw new Misused(`${folder} is no folder of a git repository`)
  return folder
}
