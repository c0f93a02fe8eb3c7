import { fields } from './published.ts'

/** A test that shows a requirement of the release design, and how it ended. */
export interface Shown {
  /** `P-07` */
  readonly requirement: string
  readonly test: string
  readonly result: string
  /** Path of the file, relative to a folder. */
  readonly file: string
}

const requirements = Array.from({ length: 88 }, (_, at) => `P-${String(at + 1).padStart(2, '0')}`)
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** What a report of vitest's JSON reporter says of P-01 to P-88, in their order; one without a test is `not shown`. */
export function shownIn(report: unknown, folder: string): readonly Shown[] {
  const tests = listOf(fields(report).get('testResults'))
    .map(fields)
    .flatMap((file) =>
      listOf(file.get('assertionResults'))
        .map(fields)
        .map((test) => ({
          test: `${test.get('title')}`,
          result: `${test.get('status')}`,
          file: `${file.get('name')}`.replace(`${folder}/`, ''),
        })),
    )
  return requirements.flatMap((requirement) => {
    const shown = tests.filter(({ test }) => numbersOf(test).includes(requirement))
    if (shown.length === 0) return [{ requirement, test: '–', result: 'not shown', file: '–' }]
    return shown.map((one) => ({ requirement, ...one }))
  })
}

/** `P-55 P-56 a name` → both numbers. */
const numbersOf = (test: string): readonly string[] => /^(P-\d\d[ ,]*)+/.exec(test)?.[0].match(/P-\d\d/g) ?? []

/** As a table of Markdown, with a last line that counts. */
export function tableOf(rows: readonly Shown[]): readonly string[] {
  const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ')
  const count = (result: string) => rows.filter((one) => one.result === result).length
  return [
    '| requirement | test | result | file |',
    '| --- | --- | --- | --- |',
    ...rows.map(({ requirement, test, result, file }) => `| ${requirement} | ${cell(test)} | ${result} | ${file} |`),
    '',
    `${count('passed')} passed, ${count('failed')} failed, ${rows.length - count('passed') - count('failed')} not run or not shown`,
  ]
}
