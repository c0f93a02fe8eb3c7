// Finds what the machine of a build leaves in files: its home folders, the folders of the build, file URLs.
//
// Streaming, so that a large file is never held; a find that lies across two chunks is found all the same (`overlap`).

/** Folders that a build for a release works in have this name and six more characters. */
export const workFolderPrefix = 'rel-clone-'

/** The longest text that a pattern can match, with room. */
const overlap = 256

/**
 * Their text does not match themselves, so that this package can be released too. What precedes a home folder must not be
 * part of a longer path or of a URL: `example.org/home/page/` is none.
 */
const patterns: readonly RegExp[] = [
  /file:\/\/\/[\w.~%+-]{0,64}/g,
  new RegExp(`[/\\\\]${workFolderPrefix}[A-Za-z0-9]{6}`, 'g'),
  /(?<![\w.-])\/(?:home|Users)\/[\w.-]{1,64}\//g,
  /(?<![\w.-])\/root\//g,
  /[A-Za-z]:(?:\\{1,2}|\/)Users(?:\\{1,2}|\/)[\w.-]{1,64}/g,
]

/** Looks through a file chunk by chunk; `found` is asked after the last. */
export interface LeakScan {
  readonly take: (chunk: Uint8Array) => void
  /** What was found first; undefined where nothing was. */
  readonly found: () => string | undefined
}

/** A scan of one file. */
export function leakScan(): LeakScan {
  let tail = ''
  let first: string | undefined
  return {
    take(chunk) {
      const text = tail + Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength).toString('latin1')
      first ??= firstBeyond(text, tail.length)
      tail = text.slice(-overlap)
    },
    found: () => first,
  }
}

/** The first match that does not end before `seen`: what does was looked at before, with what precedes it. */
function firstBeyond(text: string, seen: number): string | undefined {
  for (const pattern of patterns) {
    for (const { 0: found, index } of text.matchAll(pattern)) if (index + found.length > seen) return found
  }
  return undefined
}
