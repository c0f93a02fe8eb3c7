// Collects the relative paths that a built file names: imports, requires, URLs beside the module.
//
// It takes every quoted text that begins with `./` or `../`. That may be more than what is loaded, never less, which is the
// right side to err on for what it serves: telling a file that nothing can reach any more, because its source was deleted.
import { posix } from 'node:path'

const overlap = 256
const named = /["'`](\.{1,2}\/[^"'`\s]{1,200})["'`]|\/\/# sourceMappingURL=([^\s"'`]{1,200})/g

/** Looks through a file chunk by chunk; `paths` is asked after the last. */
export interface ReferenceScan {
  readonly take: (chunk: Uint8Array) => void
  /** Paths in the package. */
  readonly paths: () => ReadonlySet<string>
}

/** Whether a file is code that names others. */
export const isCode = (path: string): boolean => /\.[cm]?[jt]s$/.test(path)

/** A scan of the file at this path. */
export function referenceScan(path: string): ReferenceScan {
  const paths = new Set<string>()
  let tail = ''
  return {
    take(chunk) {
      const text = tail + Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength).toString('latin1')
      for (const [, quoted, map = ''] of text.matchAll(named)) {
        const target = Buffer.from(quoted ?? map, 'latin1').toString('utf8')
        for (const one of meant(path, target)) paths.add(posix.join(posix.dirname(path), one))
      }
      tail = text.slice(-overlap)
    },
    paths: () => paths,
  }
}

/** A declaration that names `./run.js` means `./run.d.ts`. */
const meant = (path: string, target: string): readonly string[] =>
  /\.d\.[cm]?ts$/.test(path) ? [target, target.replace(/\.([cm]?)js$/, '.d.$1ts')] : [target]

/** All that can be reached from these files. */
export function reachable(
  from: readonly string[],
  references: ReadonlyMap<string, ReadonlySet<string>>,
): ReadonlySet<string> {
  const reached = new Set<string>()
  const open = [...from]
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (reached.has(path)) continue
    reached.add(path)
    open.push(...(references.get(path) ?? []))
  }
  return reached
}
