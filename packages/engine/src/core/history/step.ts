import type { Draft } from '../decision/draft.ts'
import { mustRun } from './append.ts'

/**
 * Takes the next workflow step number of a run: dense from 1, one for each command of a completion in list order;
 * signals and updates take none (python-replay §10.1).
 */
export function nextStep(draft: Draft, runId: string): number {
  const run = mustRun(draft, runId)
  const step = run.lastStep + 1
  draft.putRun({ ...run, lastStep: step })
  return step
}
