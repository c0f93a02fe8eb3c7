import { expect, test } from 'vitest'
import { runProgram } from '../src/program.ts'
import { refusals } from '../src/refusal.ts'

async function rel(...words: string[]) {
  const out: string[] = []
  const err: string[] = []
  const exit = await runProgram(words, { out: (line) => out.push(line), err: (line) => err.push(line) })
  return { exit, out, err }
}

test('explain tells what a code means, its exit code and the next safe action', async () => {
  const { exit, out } = await rel('explain', 'version_conflict')
  expect(exit).toBe(0)
  expect(out).toEqual([
    'version_conflict (publish, exit 10)',
    refusals.version_conflict.says,
    `Next: ${refusals.version_conflict.next}`,
  ])
})

test('explain without a code lists every one', async () => {
  const { out } = await rel('explain')
  expect(out).toHaveLength(Object.keys(refusals).length)
})

test.each([[['explain', 'gone']], [['explain', 'a', 'b']], [['gone']], [['explain', '--gone']], [[]]])(
  'a command line that is wrong exits with 2: %j',
  async (words) => {
    expect((await rel(...words)).exit).toBe(2)
  },
)

test('with --json an error is one line of data', async () => {
  const { exit, out, err } = await rel('explain', 'gone', '--json')
  expect(exit).toBe(2)
  expect(err).toEqual([])
  expect(JSON.parse(out.join('\n'))).toMatchObject({ ok: false, code: 'usage', exit: 2 })
})

test('help with --json is every command with its options, as data', async () => {
  const { exit, out } = await rel('help', '--json')
  expect(exit).toBe(0)
  const { commands } = JSON.parse(out.join('\n'))
  expect(commands).toContainEqual({
    name: 'explain',
    says: 'what a refusal code means, and the next safe action; all codes without one',
    words: '[code]',
    options: {},
  })
})
