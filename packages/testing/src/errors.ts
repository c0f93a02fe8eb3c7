import { DurableWorkflowError } from '@durable-workflow/sdk'
import type { Fault } from './faults.ts'

/** What somebody waits for cannot come: nothing runs, and no time is due that would change that. */
export class NothingDueError extends DurableWorkflowError {
  static override readonly brandName: string = 'NothingDueError'
}

/** A scenario failed under a seed; `trace` is every request of that run, `faults` are the fewest that make it fail. */
export class SimulationError extends DurableWorkflowError {
  static override readonly brandName: string = 'SimulationError'
  readonly seed: number
  readonly faults: readonly Fault[]
  readonly trace: readonly string[]

  constructor(
    message: string,
    { seed, faults, trace, cause }: Pick<SimulationError, 'seed' | 'faults' | 'trace' | 'cause'>,
  ) {
    super(message, { reason: 'scenario_failed', facts: { seed, faults }, cause })
    this.seed = seed
    this.faults = faults
    this.trace = trace
  }
}

/** The environment is closed. */
export class EnvironmentClosedError extends DurableWorkflowError {
  static override readonly brandName: string = 'EnvironmentClosedError'
}
