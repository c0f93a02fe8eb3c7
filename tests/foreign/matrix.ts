/** The published SDKs that run unmodified against our server, and the versions that are installed. */
export const sdkVersions = { python: '2.12.0', rust: '4.10.2' } as const

export type Sdk = keyof typeof sdkVersions

/** Both ways to meet: 1.19 by the SDK's own switch on a default server, 1.20 on a server started with it. */
export const protocols = ['1.19', '1.20'] as const
export type Protocol = (typeof protocols)[number]

export const databases = ['sqlite', 'postgres'] as const
export type Database = (typeof databases)[number]

interface Scenarios {
  /** Run in every cell of the matrix. */
  readonly now: readonly string[]
  /** What the acceptance program can do and the server does not offer yet; each with what is missing. */
  readonly later: Readonly<Record<string, string>>
}

export const scenarios: Readonly<Record<Sdk, Scenarios>> = {
  python: {
    now: [
      'activity',
      'timer',
      'signal_query',
      'timed_wait',
      'retry',
      'failure',
      'waiting',
      'close_now',
      'markers',
      'paging',
      'parallel',
      'waiting_group',
    ],
    later: {
      child: 'child workflows',
      continue_as_new: 'continue-as-new',
      update: 'updates',
      update_validator: 'updates',
      select: 'durable selection',
      local_activity: 'local activities',
      metadata: 'memo and search attributes',
      cancellation: 'cooperative cancellation',
      cancellation_child: 'cooperative cancellation',
      cancellation_stops_activity: 'cooperative cancellation',
    },
  },
  rust: {
    now: [
      'activity',
      'timer',
      'signal-query',
      'retry-heartbeat',
      'failure',
      'wait-only',
      'run-timed-out',
      'side-effect',
      'parallel',
    ],
    later: {
      child: 'child workflows',
      continue: 'continue-as-new',
      update: 'updates',
      cancel: 'not in the matrix: close_now of Python covers it',
      'cancel-in-task': 'the Rust worker 4.10.2 stops on the run_closed receipt; ours settles it',
      'run-timed-out-bad': 'needs a server that sends an incomplete receipt',
      cooperative: 'cooperative cancellation',
    },
  },
}

export interface Cell {
  readonly sdk: Sdk
  readonly scenario: string
  readonly database: Database
  readonly protocol: Protocol
}

/** Every cell that must pass, grouped by server: database, then protocol. */
export function matrix(): readonly Cell[] {
  const cells: Cell[] = []
  for (const database of databases) {
    for (const protocol of protocols) {
      for (const scenario of scenarios.python.now) cells.push({ sdk: 'python', scenario, database, protocol })
      for (const scenario of scenarios.rust.now) cells.push({ sdk: 'rust', scenario, database, protocol })
    }
  }
  return cells
}

/** `python/activity/sqlite/1.19`: how `--only` and notes call a cell. */
export const nameOf = (cell: Cell): string => `${cell.sdk}/${cell.scenario}/${cell.database}/${cell.protocol}`
