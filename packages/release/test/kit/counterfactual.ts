// A counterfactual: a baseline that passes, and the same with one thing changed, which must be refused with one code.
//
// Cases are data, so that three tests read them: the one of their area, P-86 (each guard taken away in turn) and P-87
// (every code is reached).
import { openEvidence } from '../../src/evidence.ts'
import { type RefusalCode, Refused } from '../../src/refusal.ts'

/** What a run of a case left to look at. */
export interface Ending {
  /** 0, 10, 20; 30 for anything thrown that is no refusal. */
  readonly exit: 0 | 10 | 20 | 30
  readonly code: RefusalCode | null
  /** The sentence of the refusal, or of the fault; empty where it passed. */
  readonly message: string
  /** Uploads that reached a registry during the run; 0 where the case has none. */
  readonly uploads: number
  /** Whether the registry's state after the run differs from before; false where the case has none. */
  readonly registryChanged: boolean
  /** Outcome of the last record of the release's folder; null where the case has no folder. */
  readonly recorded: { readonly outcome: string; readonly reason: string | null } | null
}

export interface Counterfactual {
  /** `P-15`, and further numbers where one case shows several. */
  readonly shows: readonly [`P-${string}`, ...`P-${string}`[]]
  /** The one thing that differs, as the rest of a sentence: `a member twice`. */
  readonly differs: string
  /** U: in process · F: against the stand-in registry · V: Verdaccio · E: installed packages. */
  readonly layer: 'U' | 'F' | 'V' | 'E'
  /** What must come out; a code, or null where the changed run must pass as well (P-01 to P-06, P-56). */
  readonly code: RefusalCode | null
  /** 10 unless said otherwise. */
  readonly exit?: 0 | 10 | 20
  /** Runs it in a folder of its own: unchanged, or with the one thing changed. */
  run(folder: string, change: 'unchanged' | 'changed'): Promise<Ending>
}

/** How a piece of work ended, for cases without registry and folder. */
export async function endingOf(work: () => unknown): Promise<Ending> {
  const nothing = { uploads: 0, registryChanged: false, recorded: null }
  try {
    await work()
    return { exit: 0, code: null, message: '', ...nothing }
  } catch (error) {
    if (error instanceof Refused) return { exit: error.exit, code: error.code, message: error.message, ...nothing }
    return { exit: 30, code: null, message: String(error), ...nothing }
  }
}

/** How the last stage of a release ended, by its record. */
export function lastRecorded(folder: string): Ending['recorded'] {
  const last = openEvidence(folder).records.at(-1)?.record
  return last === undefined ? null : { outcome: last.outcome, reason: last.reason }
}
