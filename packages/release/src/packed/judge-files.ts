import { refuseUnless } from '../guard.ts'
import type { Policy } from '../policy.ts'
import type { PackedManifest } from './package-json.ts'
import { reachable } from './references.ts'

/** The files of a package, and what each of its code files names. */
export interface PackedFiles {
  readonly paths: readonly string[]
  /** Code file → paths that it names. */
  readonly references: ReadonlyMap<string, ReadonlySet<string>>
}

/**
 * Whether the package has exactly the files that it needs: those that the policy requires, those that its manifest leads to,
 * and in the folders of the build only what can be reached from there.
 *
 * @throws Refused file_missing, file_extra
 */
export function judgeFiles(
  { name, targets }: PackedManifest,
  { paths, references }: PackedFiles,
  { required, allowed }: Policy['files'],
): void {
  const there: ReadonlySet<string> = new Set(paths)
  for (const path of required) {
    refuseUnless(there.has(path), 'file_missing', { package: name, path, wanted: 'the policy requires it' })
  }
  const entries = targets.flatMap((target) => {
    const found = matching(target, paths)
    refuseUnless(found.length > 0, 'file_missing', { package: name, path: target, wanted: 'package.json leads to it' })
    return found
  })
  const reached = reachable(entries, references)
  const files: ReadonlySet<string> = new Set([...required, ...allowed])
  const folders = allowed.filter((one) => one.endsWith('/'))
  for (const path of paths) {
    if (files.has(path)) continue
    const isAllowed = folders.some((folder) => path.startsWith(folder))
    refuseUnless(isAllowed, 'file_extra', { package: name, path, limit: 'the policy does not allow it' })
    refuseUnless(reached.has(path), 'file_extra', { package: name, path, limit: 'nothing leads to it' })
  }
}

/** The path itself, or all that a target with a `*` stands for. */
function matching(target: string, paths: readonly string[]): readonly string[] {
  const [before = '', after] = target.split('*', 2)
  if (after === undefined) return paths.filter((path) => path === target)
  return paths.filter(
    (path) => path.startsWith(before) && path.endsWith(after) && path.length > before.length + after.length,
  )
}
