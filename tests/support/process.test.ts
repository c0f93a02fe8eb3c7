import { expect, test } from 'vitest'
import { cleanEnvironment, ProgramFailed, parseJsonObject, startProgram } from './process.ts'

const node = (script: string) => startProgram({ name: 'sample', command: process.execPath, args: ['-e', script] })

test('a program is awaited by a JSON line among other lines, also one that came before', async () => {
  const program = await node(
    `console.log('starting'); console.log('{ not json'); console.log(JSON.stringify({ ready: true, port: 7 })); setInterval(() => {}, 1000)`,
  )
  const port = (line: Readonly<Record<string, unknown>>) => (line.ready === true ? line.port : undefined)
  expect(await program.waitForJson('ready', port)).toBe(7)
  expect(await program.waitForJson('ready', port)).toBe(7)
  expect(await program.waitForLine('the first line', (line) => (line === 'starting' ? line : undefined))).toBe(
    'starting',
  )
  expect(await program.stop()).toEqual({ code: null, signal: 'SIGTERM' })
  expect(program.exit).toEqual({ code: null, signal: 'SIGTERM' })
})

test('a line that cannot come any more fails at once, with the exit code and the last output', async () => {
  const program = await node(`console.log('one'); console.error('port is taken'); process.exitCode = 3`)
  const wait = program.waitForJson('its ready line', (line) => line.ready, { timeoutMs: 60_000 })
  await expect(wait).rejects.toBeInstanceOf(ProgramFailed)
  await expect(wait).rejects.toThrow(/exited with code 3 before its ready line[\s\S]*one[\s\S]*port is taken/)
})

test('a line that does not come fails at the deadline and names the awaited state', async () => {
  const program = await node(`console.log('still here'); setInterval(() => {}, 1000)`)
  await program.waitForLine('its first line', (line) => line)
  const wait = program.waitForLine('the word done', (line) => (line === 'done' ? line : undefined), { timeoutMs: 20 })
  await expect(wait).rejects.toThrow(/waited 20 ms for the word done[\s\S]*still here/)
  expect(await program.kill()).toEqual({ code: null, signal: 'SIGKILL' })
})

test('a program that ignores SIGTERM is killed, and the stop says so', async () => {
  const program = await node(`process.on('SIGTERM', () => {}); console.log('up'); setInterval(() => {}, 1000)`)
  await program.waitForLine('up', (line) => line)
  await expect(program.stop({ timeoutMs: 50 })).rejects.toThrow(/did not end on SIGTERM/)
  expect(program.exit).toEqual({ code: null, signal: 'SIGKILL' })
})

test('the last line counts without a newline, and an orderly end is no failure', async () => {
  const program = await node(`process.stdout.write('{"last":1}')`)
  expect(await program.waitForExit()).toEqual({ code: 0, signal: null })
  expect(program.stdout).toEqual(['{"last":1}'])
})

test('a command that does not exist fails with its name', async () => {
  const start = startProgram({ name: 'missing', command: 'no-such-command-anywhere' })
  await expect(start).rejects.toThrow(/missing: .*ENOENT/)
})

test('a program does not inherit settings of the product', () => {
  process.env.DW_TEST_SAMPLE = 'x'
  process.env.DURABLE_WORKFLOW_SAMPLE = 'x'
  try {
    const env = cleanEnvironment({ DW_PORT: '0' })
    expect(Object.keys(env).filter((name) => /^(DW_|DURABLE_WORKFLOW_)/.test(name))).toEqual(['DW_PORT'])
    expect(env.PATH).toBe(process.env.PATH)
  } finally {
    delete process.env.DW_TEST_SAMPLE
    delete process.env.DURABLE_WORKFLOW_SAMPLE
  }
})

test('only a JSON object is a JSON line', () => {
  expect(parseJsonObject('{"a":1}')).toEqual({ a: 1 })
  for (const line of ['[1]', '1', 'null', '', '{"a"', 'text']) expect(parseJsonObject(line)).toBeUndefined()
})
