import { DurableWorkflowError } from '@durable-workflow/sdk'

/** What somebody waits for cannot come: nothing runs, and no time is due that would change that. */
export class NothingDueError extends DurableWorkflowError {
  static override readonly brandName: string = 'NothingDueError'
}

/** The environment is closed. */
export class EnvironmentClosedError extends DurableWorkflowError {
  static override readonly brandName: string = 'EnvironmentClosedError'
}
