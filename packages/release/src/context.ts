import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** What stages take from outside. */
export interface Context {
  now(): Date
  /** One line for people who wait; goes to standard error. */
  progress(line: string): void
  /** The identity of `rel` itself: its version, and the digest of its own files. */
  readonly tool: { readonly version: string; readonly sha256: string }
}

/** The context of the program; progress goes to `write`, line by line. */
export function programContext(write: (line: string) => void): Context {
  const began = Date.now()
  return {
    now: () => new Date(),
    progress: (line) => write(`[${((Date.now() - began) / 1000).toFixed(1)} s] ${line}`),
    // Only what is recorded names the tool; `rel explain` need not read it.
    get tool() {
      return { version: versionOfThisPackage(), sha256: digestOfFolder(import.meta.dirname) }
    },
  }
}

function versionOfThisPackage(): string {
  const manifest: unknown = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8'))
  if (typeof manifest === 'object' && manifest !== null && 'version' in manifest) return `${manifest.version}`
  throw new Error('package.json of this package has no version')
}

function digestOfFolder(folder: string): string {
  const digest = createHash('sha256')
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile())
  for (const path of files.map((one) => join(one.parentPath, one.name)).toSorted()) {
    digest.update(`${path.slice(folder.length)}\n`).update(readFileSync(path))
  }
  return digest.digest('hex')
}
