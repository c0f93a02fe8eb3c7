import { describeSettings } from './config.ts'
import { packageVersion } from './package-version.ts'

/** The programs of this package and what each does. */
const programs = {
  'durable-workflow-server': [
    'Serves workflows: store, engine and HTTP in one process. Prints one line of JSON on standard output when it takes',
    'polls; logs go to standard error. SIGTERM and SIGINT stop it cleanly.',
    '',
    'Exit codes: 0 stopped, 1 failed, 2 a setting is wrong.',
  ],
  'durable-workflow-check-runs': [
    'Looks through the database of a server for open runs that nothing will move. Prints one line of JSON for each and',
    'one with the count; changes nothing, and may run beside a server.',
    '',
    'Exit codes: 0 none found, 2 a setting is wrong, 10 some found, 30 failed.',
  ],
} as const

/** What a program says instead of starting, when `--help` or `--version` is among its arguments; else `undefined`. */
export function informationFor(program: keyof typeof programs, args: readonly string[]): string | undefined {
  if (args.includes('--help')) return help(program)
  if (args.includes('--version')) return packageVersion()
  return undefined
}

function help(program: keyof typeof programs): string {
  const settings = describeSettings()
  const width = Math.max(...settings.map(({ argument }) => argument.length))
  return [
    `Usage: ${program} [--SETTING VALUE …]`,
    '',
    ...programs[program],
    '',
    'Settings come from arguments, then the environment, then durable-workflow.config.ts in the working directory',
    '(`export default { server: { port: 7400 } }`):',
    '',
    ...settings.flatMap(({ name, argument, meaning, default: value }) => [
      `  ${argument.padEnd(width)}  ${name}${value === undefined ? '' : ` (${value})`}`,
      `  ${''.padEnd(width)}  ${meaning.replaceAll('`', '')}`,
    ]),
    '',
    `  ${'--help'.padEnd(width)}  this text`,
    `  ${'--version'.padEnd(width)}  the version of the program`,
  ].join('\n')
}
