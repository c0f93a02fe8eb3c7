import type { Measured } from './measure.ts'

/** One line of JSON, as scripts read it: the main figures on top, everything else beside them. */
export function jsonLine(measured: Measured): string {
  const { workload, title, figures, range, cpu_ms_per_step, repetitions, target, met, floor } = measured
  return JSON.stringify({ workload, title, ...figures, target, met, cpu_ms_per_step, floor, range, repetitions })
}

/** The same for people. */
export function textLines(measured: Measured): string[] {
  const { workload, title, figures, range, cpu_ms_per_step: cpu, target, met, floor } = measured
  const ratio =
    floor?.pipeline?.steps_per_second === undefined || figures.steps_per_second === undefined
      ? ''
      : ` (${Math.round((100 * figures.steps_per_second) / floor.pipeline.steps_per_second)} % of the floor pipeline)`
  return [
    '',
    `${workload}  ${title}`,
    ...Object.entries(figures).map(([figure, value]) => {
      const [low, high] = range[figure] ?? [value, value]
      const more = figure === 'steps_per_second' ? ratio : ''
      return `  ${figure.padEnd(24)} ${String(value).padStart(8)}   ${low} … ${high}${more}`
    }),
    `  ${'cpu ms a step'.padEnd(24)} server ${cpu.server ?? 'unknown'}, worker ${cpu.worker ?? 'unknown'}`,
    `  ${'target'.padEnd(24)} ${target.figure} ${target.bound} ${target.value}: ${met ? 'met' : 'missed'}`,
    ...(floor === null ? [] : [`  ${'floor'.padEnd(24)} ${floorText(floor)}`]),
  ]
}

function floorText(floor: NonNullable<Measured['floor']>): string {
  const { single_commits_per_second: single, grouped_rows_per_second: grouped, empty_posts_per_second: posts } = floor
  const { pipeline } = floor
  const bare =
    pipeline === null
      ? 'pipeline not measured'
      : `pipeline ${pipeline.steps_per_second} steps/s, run p50 ${pipeline.run_p50_ms} ms`
  return `${bare}; ${single} single commits/s, ${grouped} grouped rows/s, ${posts} empty posts/s`
}
