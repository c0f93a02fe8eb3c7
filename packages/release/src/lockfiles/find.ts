import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Files below a folder that say what is installed, by their paths relative to it, sorted. */
export interface Found {
  readonly lockfiles: readonly string[]
  readonly manifests: readonly string[]
  /** Folders that were not looked into. */
  readonly skipped: readonly string[]
}

/** `pnpm-lock.<branch>.yaml` is what pnpm writes where each branch has a lockfile of its own. */
const lockfileName =
  /^(package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock(\..+)?\.yaml|shrinkwrap\.yaml|bun\.lockb?|deno\.lock)$/

/** `node_modules` is what a lockfile led to, `.git` what is not there any more; linked folders may lead in circles. */
export function findLockfiles(folder: string): Found {
  const lockfiles: string[] = []
  const manifests: string[] = []
  const skipped: string[] = []
  const waiting: string[] = ['']
  for (const inside of waiting) {
    for (const entry of readdirSync(join(folder, inside), { withFileTypes: true })) {
      const path = inside === '' ? entry.name : `${inside}/${entry.name}`
      const isFolder = entry.isDirectory() || (entry.isSymbolicLink() && leadsToFolder(join(folder, path)))
      if (isFolder && (entry.isSymbolicLink() || entry.name === 'node_modules' || entry.name === '.git')) {
        skipped.push(path)
      } else if (isFolder) waiting.push(path)
      else if (lockfileName.test(entry.name)) lockfiles.push(path)
      else if (entry.name === 'package.json') manifests.push(path)
    }
  }
  return { lockfiles: lockfiles.toSorted(), manifests: manifests.toSorted(), skipped: skipped.toSorted() }
}

const leadsToFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
