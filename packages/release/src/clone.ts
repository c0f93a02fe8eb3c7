import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { git } from './git.ts'
import { inOwnFolder } from './own-folder.ts'
import { workFolderPrefix } from './packed/leaks.ts'
import type { Commit } from './source.ts'
import { withUmask } from './tool-run.ts'

/** Folders of one pack: all lie in one, whose name gives it away wherever it is written. */
export interface Workplace {
  readonly clone: string
  readonly temporary: string
  /** Where the tarballs go; there and empty. */
  readonly out: string
}

/**
 * Makes a fresh clone of a commit, outside of the repository, and removes it after the work. Nothing is fetched: git copies
 * the objects, so that nothing of the repository can be written to either.
 *
 * @param beneath  folders between the folder of the pack and the clone, for a path of another length
 */
export const inFreshClone = <T>(
  { repository, id }: Commit,
  { umask, beneath = '' }: { readonly umask: number; readonly beneath?: string },
  work: (place: Workplace) => Promise<T>,
): Promise<T> =>
  inOwnFolder(workFolderPrefix, async (folder) => {
    const place = {
      clone: join(folder, beneath, 'clone'),
      temporary: join(folder, beneath, 'tmp'),
      out: join(folder, beneath, 'out'),
    }
    withUmask(umask, () => {
      for (const one of [place.temporary, place.out]) mkdirSync(one, { recursive: true })
      // No template: hooks of the person who packs must not run in it.
      git(repository, 'clone', '--quiet', '--template=', '--no-hardlinks', '--no-checkout', '--', '.', place.clone)
      git(place.clone, 'checkout', '--quiet', '--detach', id)
    })
    return await work(place)
  })
