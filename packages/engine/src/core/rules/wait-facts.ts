import type { Wait } from '../state/wait.ts'

/** What every event of a wait repeats of it; a member that the command did not have is absent. */
export function waitFacts(wait: Wait): {
  condition_wait_id?: string
  condition_key?: string
  condition_definition_fingerprint?: string
  condition_wait_occurrence_id?: string
  signal_wait_id?: string
  signal_name?: string
} {
  if (wait.kind === 'signal') return { signal_wait_id: wait.waitId, signal_name: wait.signalName }
  return {
    condition_wait_id: wait.waitId,
    ...(wait.conditionKey === undefined ? {} : { condition_key: wait.conditionKey }),
    ...(wait.fingerprint === undefined ? {} : { condition_definition_fingerprint: wait.fingerprint }),
    ...(wait.occurrenceId === undefined ? {} : { condition_wait_occurrence_id: wait.occurrenceId }),
  }
}
