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
  /file:\/\/\/[\w.~%+-]{0,64}/,
  new RegExp(`[/\\\\]${workFolderPrefix}[A-Za-z0-9]{6}`),
  /(?<![\w.-])\/(?:home|Users)\/[\w.-]{1,64}\//,
  /(?<![\w.-])\/root\//,
  /[A-Za-z]:(?:\\{1,2}|\/)Users(?:\\{1,2}|\/)[\w.-]{1,64}/,
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
      first ??= patterns.map((one) => one.exec(text)?.[0]).find((one) => one !== undefined)
      tail = text.slice(-overlap)
    },
    found: () => first,
  }
}
