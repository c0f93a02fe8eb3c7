import { describeSettings } from './config.ts'
import { packageVersion } from './package-version.ts'

/** What the program says instead of starting, when `--help` or `--version` is among its arguments; else `undefined`. */
export function informationFor(args: readonly string[]): string | undefined {
  if (args.includes('--help')) return help()
  if (args.includes('--version')) return packageVersion()
  return undefined
}

function help(): string {
  const settings = describeSettings()
  const width = Math.max(...settings.map(({ argument }) => argument.length))
  const line = (term: string, meaning: string): string => `  ${term.padEnd(width)}  ${meaning}`
  return [
    'Usage: durable-workflow-server [--SETTING VALUE …]',
    '       durable-workflow-server check-runs [--SETTING VALUE …]',
    '',
    'Serves workflows: store, engine and HTTP in one process. Prints one line of JSON on standard output when it takes',
    'polls; logs go to standard error. SIGTERM and SIGINT stop it cleanly.',
    'Exit codes: 0 stopped, 1 failed, 2 a setting is wrong.',
    '',
    'check-runs looks through the database for open runs that nothing will move. Prints one line of JSON for each and one',
    'with the count; changes nothing, and may run beside a server.',
    'Exit codes: 0 none found, 2 a setting is wrong, 10 some found, 30 failed.',
    '',
    'Settings come from arguments, then the environment, then durable-workflow.config.ts in the working directory',
    '(export default { server: { port: 7400 } }):',
    '',
    ...settings.flatMap(({ name, argument, meaning, default: value }) => [
      line(argument, value === undefined ? name : `${name} (${value})`),
      line('', meaning.replaceAll('`', '')),
    ]),
    '',
    line('--help', 'this text'),
    line('--version', 'the version of the program'),
  ].join('\n')
}
