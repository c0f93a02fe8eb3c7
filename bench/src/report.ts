import type { FloorOf } from './floor/floor.ts'
import type { Measured } from './measure.ts'
import type { OwnTime } from './profile/profile.ts'
import type { CpuPerStep } from './repetition.ts'
import type { StatementFigures } from './statements/counts.ts'

/** What a line says besides what was measured. */
export interface Extras {
  /** Counted in a run of their own. */
  readonly statements?: StatementFigures
}

/** One line of JSON, as scripts read it: the main figures on top, everything else beside them. */
export function jsonLine(measured: Measured, extras: Extras = {}): string {
  const { workload, database, title, figures, target, met, cpu_ms_per_step, floor, range, repetitions } = measured
  const { without, profile } = measured
  const all = { workload, database, title, ...figures, target, met, cpu_ms_per_step, floor, range, repetitions }
  return JSON.stringify({ ...all, without, profile, ...extras })
}

/** The same for people. */
export function textLines(measured: Measured, extras: Extras = {}): string[] {
  const { workload, database, title, figures, range, cpu_ms_per_step: cpu, target, met, floor, without } = measured
  return [
    '',
    `${workload} on ${database}  ${title}`,
    ...Object.entries(figures).map(([figure, value]) => {
      const [low, high] = range[figure] ?? [value, value]
      const bare = without?.figures[figure]
      const beside = bare === undefined ? '' : `, without open runs ${bare}`
      return row(figure, `${String(value).padStart(8)}   ${low} … ${high}${beside}${ratioText(measured, figure)}`)
    }),
    row(
      'cpu ms a step',
      `${cpuText(cpu)}${without === undefined ? '' : `; without ${cpuText(without.cpu_ms_per_step)}`}`,
    ),
    row(
      'target',
      target === null ? 'none' : `${target.figure} ${target.bound} ${target.value}: ${met ? 'met' : 'missed'}`,
    ),
    ...(floor === null ? [] : [row('floor', floorText(floor))]),
    ...(extras.statements === undefined ? [] : [row('at the driver', statementText(extras.statements))]),
    ...(measured.profile === undefined
      ? []
      : [...profileLines('server', measured.profile.server), ...profileLines('worker', measured.profile.worker)]),
  ]
}

const row = (name: string, text: string): string => `  ${name.padEnd(24)} ${text}`

/** The pipeline runs on SQLite; figures of another database do not compare. */
function ratioText({ floor, database, figures }: Measured, figure: string): string {
  const bare = floor?.pipeline?.steps_per_second
  const seen = figures.steps_per_second
  if (figure !== 'steps_per_second' || database !== 'sqlite' || bare === undefined || seen === undefined) return ''
  return ` (${Math.round((100 * seen) / bare)} % of the floor pipeline)`
}

function cpuText({ server, worker, database }: CpuPerStep): string {
  const own = `server ${server ?? 'unknown'}, worker ${worker ?? 'unknown'}`
  return database === null ? own : `${own}, database ${database}`
}

function floorText(floor: FloorOf): string {
  const { single_commits_per_second: single, grouped_rows_per_second: grouped, empty_posts_per_second: posts } = floor
  const { pipeline } = floor
  const bare =
    pipeline === null
      ? 'pipeline not measured'
      : `pipeline (${pipeline.database}) ${pipeline.steps_per_second} steps/s, run p50 ${pipeline.run_p50_ms} ms, ${pipeline.server_cpu_ms_per_step ?? 'unknown'} cpu ms a step`
  return `${bare}; ${single} single commits/s, ${grouped} grouped rows/s, ${posts} empty posts/s`
}

const kindsShown = 8

function statementText(figures: StatementFigures): string {
  const kinds = Object.entries(figures.by_kind).slice(0, kindsShown)
  return [
    `${figures.statements_per_step} statements and ${figures.commits_per_step} durable commits a step, ${figures.operations_per_group} operations a group`,
    kinds.map(([kind, perStep]) => `${kind} ${perStep}`).join(', '),
  ].join('; ')
}

const profileLines = (name: string, times: readonly OwnTime[]): string[] => [
  `  own time of the ${name}:`,
  ...times.map(({ at, ms, percent }) => `    ${`${percent} %`.padStart(8)} ${`${ms} ms`.padStart(10)}  ${at}`),
]
