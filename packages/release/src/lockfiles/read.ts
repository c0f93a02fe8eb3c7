import { readFileSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { refuseUnless } from '../guard.ts'
import { Unreadable } from './document.ts'
import type { Lockfile } from './lockfile.ts'
import { type Manifest, readPackageJson } from './manifest.ts'
import { readNpmLockfile } from './npm.ts'
import { readPnpmLockfile } from './pnpm.ts'
import { readYarnLockfile } from './yarn.ts'

/** Bytes that are read of one file. The largest lockfiles in use have a few MiB. */
export const lockfileBytesMax = 64 * 1024 * 1024

/** @throws Refused pin_lockfile_unreadable */
export const readLockfile = (folder: string, file: string): Lockfile =>
  readWhole(folder, file, nothingLocked, readerOf(file))

/** A `package.json`. @throws Refused pin_lockfile_unreadable */
export const readManifest = (folder: string, file: string): Manifest =>
  readWhole(folder, file, { name: null, dependencies: [], overrides: [] }, readPackageJson)

const nothingLocked: Lockfile = {
  kind: 'npm',
  version: 'none',
  entries: [],
  asked: [],
  members: null,
  digests: 'tarball',
}

function readerOf(file: string): (text: string) => Lockfile {
  const name = basename(file)
  if (name === 'package-lock.json' || name === 'npm-shrinkwrap.json') return readNpmLockfile
  if (name.startsWith('pnpm-lock.')) return readPnpmLockfile
  if (name === 'yarn.lock') return readYarnLockfile
  return () => {
    throw new Unreadable('a lockfile of a kind that this version does not know')
  }
}

function readWhole<T>(folder: string, file: string, otherwise: T, read: (text: string) => T): T {
  const { value, trouble } = tried(() => read(textOf(join(folder, file))))
  refuseUnless(trouble === null, 'pin_lockfile_unreadable', { file, trouble })
  return value ?? otherwise
}

function tried<T>(work: () => T): { readonly value: T | null; readonly trouble: string | null } {
  try {
    return { value: work(), trouble: null }
  } catch (error) {
    if (error instanceof Unreadable) return { value: null, trouble: error.message }
    throw error
  }
}

function textOf(path: string): string {
  const size = statSync(path, { throwIfNoEntry: false })?.size
  if (size === undefined) throw new Unreadable('a link that leads nowhere')
  if (size > lockfileBytesMax) throw new Unreadable(`${size} bytes; the limit is ${lockfileBytesMax}`)
  const text = readFileSync(path, 'utf8')
  const conflict = /^(<{7}|={7}|>{7})(?: |$)/m.exec(text)
  if (conflict !== null) throw new Unreadable('it has the marks of a merge that was not resolved')
  return text
}
