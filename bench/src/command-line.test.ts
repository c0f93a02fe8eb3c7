import { expect, test } from 'vitest'
import { readCommandLine } from './command-line.ts'
import { nameOf } from './open-runs.ts'
import { UsageError } from './usage-error.ts'
import { workloadNames } from './workloads.ts'

const namesOf = (...args: string[]) => readCommandLine(args).asked.map(nameOf)

test('without a name, every workload is measured', () => {
  expect(namesOf()).toEqual(workloadNames)
  expect(readCommandLine([])).toMatchObject({ kind: 'workloads', json: false, repetitions: 3, databases: [] })
})

test('open runs add W1 and W3 beside them to what was asked for', () => {
  expect(namesOf('--open-runs', '10000')).toEqual([...workloadNames, 'W1@10k', 'W3@10k'])
  expect(namesOf('--open-runs', '500', 'W3', 'W5')).toEqual(['W3', 'W5', 'W3@500'])
  expect(namesOf('W1@2k')).toEqual(['W1@2k'])
})

test('databases may be named, and more than one', () => {
  expect(readCommandLine(['--database', 'postgres']).databases).toEqual(['postgres'])
  expect(readCommandLine(['--database', 'sqlite', '--database', 'postgres']).databases).toEqual(['sqlite', 'postgres'])
})

test('curves is a command of its own', () => {
  expect(readCommandLine(['curves', '--database', 'sqlite'])).toMatchObject({ kind: 'curves', asked: [] })
})

test.each([
  [['W9'], 'no such workload: W9'],
  [['--database', 'oracle'], 'no such database: oracle'],
  [['--repetitions', '0'], '--repetitions 0'],
  [['--open-runs', 'many'], '--open-runs many'],
  [['--profile', 'W1@10k'], '--profile is for workloads without open runs'],
  [['curves', 'W1'], 'curves takes no workload'],
  [['--nonsense'], '--nonsense'],
])('%j is refused and named', (args, message) => {
  expect(() => readCommandLine(args)).toThrow(UsageError)
  expect(() => readCommandLine(args)).toThrow(message)
})
