// The guard of this package with a switch at every place that calls it: `ablation.test.ts` puts it in the place of
// `src/guard.ts` and takes away one call at a time.
import { sep } from 'node:path'
import { type Facts, type RefusalCode, Refused } from '../../src/refusal.ts'

const sources = `${sep}release${sep}src${sep}`

/** What the guards did while a case ran. */
export interface Watched {
  /** Refusals in their order with the place that made them (`archive/tar.ts:31`), those that the code caught itself included. */
  readonly refused: readonly { readonly site: string; readonly code: RefusalCode }[]
}

class Watch implements Watched {
  readonly refused: { site: string; code: RefusalCode }[] = []
  readonly removed: string | null
  constructor(removed: string | null) {
    this.removed = removed
  }
}

// One case at a time: answers of a server in the same process come on other asynchronous paths than the case's own.
let watch: Watch | null = null

/** Runs a case and tells what the guards did; `removed` lets through what this place alone would hold back. */
export async function watching<T>(removed: string | null, work: () => Promise<T>): Promise<{ result: T } & Watched> {
  if (watch !== null) throw new Error('one case at a time')
  const mine = new Watch(removed)
  watch = mine
  try {
    return { result: await work(), refused: mine.refused }
  } finally {
    watch = null
  }
}

/** What stands in the place of the guard. @throws Refused as the guard does, unless this place is taken away */
export function refuseUnless(holds: boolean, code: RefusalCode, facts: Facts): asserts holds {
  if (holds) return
  if (watch === null) throw new Refused(code, facts)
  const site = callerOf(new Error().stack ?? '')
  watch.refused.push({ site, code })
  if (watch.removed !== site) throw new Refused(code, facts)
}

/** `archive/tar.ts:31`: the place that called the guard, two lines below the head of the stack. */
function callerOf(stack: string): string {
  const line = stack.split('\n')[2] ?? ''
  const [, path, row] = /\(?(?:file:\/\/)?([^()\s]+):(\d+):\d+\)?$/.exec(line) ?? []
  const at = path?.lastIndexOf(sources) ?? -1
  if (path === undefined || at < 0) throw new Error(`the guard was not called from src/: ${line}`)
  return `${path.slice(at + sources.length).replaceAll(sep, '/')}:${row}`
}
