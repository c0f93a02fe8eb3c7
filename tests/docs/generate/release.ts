// The commands of `rel` as the program itself tells them, and its refusal codes.
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { refusals } from '../../../packages/release/src/index.ts'
import { fields } from '../../../scripts/published.ts'
import { root } from '../pages.ts'
import { table } from './markdown.ts'

const program = [
  '--conditions=source',
  '--disable-warning=ExperimentalWarning',
  join(root, 'packages/release/src/main.ts'),
]
const exits = { refused: '10', retryable: '20', info: '0' } as const

/** A heading and a table of options for each command, in the order of the stages. */
export function commandsTables(): string {
  const said: unknown = JSON.parse(execFileSync(process.execPath, [...program, 'help', '--json'], { encoding: 'utf8' }))
  const commands = fields(said).get('commands')
  if (!Array.isArray(commands)) throw new Error('rel help --json tells no commands')
  return commands
    .map(fields)
    .map((command) => {
      const title = `### \`rel ${`${command.get('name')} ${command.get('words')}`.trim()}\``
      const rows = [...fields(command.get('options'))].map(([name, described]) => {
        const option = fields(described)
        const value = option.get('type') === 'string' ? ` ${name.toUpperCase()}` : ''
        const notes = [
          ...(option.get('required') === true ? ['required'] : []),
          ...(option.get('multiple') === true ? ['may be repeated'] : []),
        ]
        return [`\`--${name}${value}\``, [`${option.get('says')}`, ...notes].join('; ')]
      })
      const says = `${command.get('says')}`
      const sentence = `${says.charAt(0).toUpperCase()}${says.slice(1)}.`
      return [title, sentence, ...(rows.length > 0 ? [table(['option', 'meaning'], rows)] : [])].join('\n\n')
    })
    .join('\n\n')
}

/** Every refusal code with its exit code, meaning and next safe action. */
export const codesTable = (): string =>
  table(
    ['code', 'stage', 'exit', 'means', 'do'],
    Object.entries(refusals).map(([code, { area, kind, says, next }]) => [
      `\`${code}\``,
      area,
      exits[kind],
      says,
      next,
    ]),
  )
