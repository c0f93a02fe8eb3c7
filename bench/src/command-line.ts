import { parseArgs } from 'node:util'
import { type DatabaseName, databaseNames, isDatabaseName } from './databases.ts'
import { type Asked, askedFor } from './open-runs.ts'
import { UsageError } from './usage-error.ts'
import { workloadNames } from './workloads.ts'

export interface Command {
  readonly kind: 'workloads' | 'curves'
  readonly json: boolean
  readonly skipFloor: boolean
  readonly profile: boolean
  readonly repetitions: number
  /** Empty: all that are there. */
  readonly databases: readonly DatabaseName[]
  readonly asked: readonly Asked[]
}

/** The workloads that are measured once more beside open runs. */
const besideOpenRuns = new Set(['W1', 'W3'])

/** Reads the arguments. @throws UsageError */
export function readCommandLine(args: readonly string[]): Command {
  const { values, positionals } = parsed(args)
  const isCurves = positionals[0] === 'curves'
  if (isCurves && positionals.length > 1)
    throw new UsageError(`curves takes no workload, but ${positionals[1]} was given`)
  const databases = values.database.map(databaseOf)
  const openRuns = values['open-runs'] === undefined ? 0 : wholeNumber('--open-runs', values['open-runs'])
  const named = isCurves ? [] : positionals.map(workloadOf)
  const asked = named.length > 0 || isCurves ? named : workloadNames.map((workload) => ({ workload, openRuns: 0 }))
  const loaded = asked.filter((each) => openRuns > 0 && each.openRuns === 0 && besideOpenRuns.has(each.workload))
  const all = [...asked, ...loaded.map(({ workload }) => ({ workload, openRuns }))]
  if (values.profile && all.some((each) => each.openRuns > 0)) {
    throw new UsageError('--profile is for workloads without open runs: leave out --open-runs and names with @')
  }
  return {
    kind: isCurves ? 'curves' : 'workloads',
    json: values.json,
    skipFloor: values['skip-floor'],
    profile: values.profile,
    repetitions: wholeNumber('--repetitions', values.repetitions),
    databases,
    asked: all,
  }
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        json: { type: 'boolean', default: false },
        'skip-floor': { type: 'boolean', default: false },
        profile: { type: 'boolean', default: false },
        repetitions: { type: 'string', default: '3' },
        database: { type: 'string', multiple: true, default: [] },
        'open-runs': { type: 'string' },
      },
    })
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), { cause: error })
  }
}

function wholeNumber(option: string, text: string): number {
  if (!/^[1-9]\d*$/.test(text)) throw new UsageError(`${option} ${text} is not a whole number from 1`)
  return Number(text)
}

function databaseOf(name: string): DatabaseName {
  if (!isDatabaseName(name)) throw new UsageError(`no such database: ${name}; there are ${databaseNames.join(', ')}`)
  return name
}

function workloadOf(name: string): Asked {
  const asked = askedFor(name)
  if (asked === undefined) {
    throw new UsageError(
      `no such workload: ${name}; there are ${workloadNames.join(', ')}, with open runs as in W1@10k, and curves`,
    )
  }
  return asked
}
