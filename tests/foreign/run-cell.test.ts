// The judge of a cell, judged: with programs that behave like the acceptance programs, well and badly.
import { createServer } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Cell } from './matrix.ts'
import { runCell } from './run-cell.ts'

const server = createServer((incoming, outgoing) => {
  incoming.resume()
  outgoing.statusCode = incoming.url === '/api/worker/register' ? 201 : 409
  outgoing.end(JSON.stringify({ reason: 'run_closed' }))
})
let serverUrl = ''

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address !== null && typeof address !== 'string') serverUrl = `http://127.0.0.1:${address.port}`
})
afterAll(() => new Promise<void>((resolve) => server.close(() => resolve())))

const cell = (sdk: Cell['sdk'], protocol: Cell['protocol'] = '1.19'): Cell => ({
  sdk,
  scenario: 'activity',
  database: 'sqlite',
  protocol,
})

const play = (of: Cell, script: string) =>
  runCell({ cell: of, serverUrl, command: process.execPath, args: ['-e', script], trace: false })

const print = (value: unknown): string => `console.log(${JSON.stringify(JSON.stringify(value))});`
const untilTerm = (then: string): string =>
  `setInterval(() => {}, 1000); process.on('SIGTERM', () => { ${then} process.exit() });`
const rustProgram = (parts: { worker: string; client: string }): string =>
  `const [url, mode] = process.argv.slice(1); if (mode === 'worker') { ${parts.worker} } else { ${parts.client} }`
const register = `fetch(url + '/api/worker/register', { method: 'POST', body: '{}' });`

test('a Python program passes when it exits 0 and says ok', async () => {
  expect(await play(cell('python'), print({ ok: true }))).toMatchObject({ passed: true, note: '' })
})

test('a Python program gets the 1.19 switch only for 1.19', async () => {
  const script = `console.log(JSON.stringify({ ok: process.env.DURABLE_WORKFLOW_WORKER_PROTOCOL_VERSION === '1.19' }))`
  expect((await play(cell('python', '1.19'), script)).passed).toBe(true)
  expect((await play(cell('python', '1.20'), script)).passed).toBe(false)
})

test.each([
  ['says ok and exits 1', `${print({ ok: true })} process.exitCode = 1`, /ended with 1/],
  ['exits 0 and says not ok', print({ ok: false, error: 'Wrong: result' }), /Wrong: result/],
  ['exits 0 and says nothing', '', /printed nothing/],
  ['breaks', `console.error('no module'); process.exit(1)`, /no module/],
])('a Python program that %s fails with its reason', async (_, script, note) => {
  const outcome = await play(cell('python'), script)
  expect(outcome.passed).toBe(false)
  expect(outcome.note).toMatch(note)
})

test('a Rust pair passes when the client says ok and the worker ends well on SIGTERM', async () => {
  const worker = `${register} ${untilTerm(print({ ok: true, mode: 'worker' }))}`
  expect(await play(cell('rust'), rustProgram({ worker, client: print({ ok: true }) }))).toMatchObject({ passed: true })
})

test('a Rust client with a wrong value fails with value and expectation', async () => {
  const worker = `${register} ${untilTerm(print({ ok: true }))}`
  const client = `${print({ ok: false, outcome: 1, expected: 2 })} process.exitCode = 1`
  const outcome = await play(cell('rust'), rustProgram({ worker, client }))
  expect(outcome).toMatchObject({ passed: false, note: 'client ended with 1: outcome 1, expected 2' })
})

test('a Rust worker that ends badly fails the cell, also when the client is content', async () => {
  const worker = `${register} ${untilTerm(`${print({ ok: false, error: 'stopped' })} process.exitCode = 1;`)}`
  const outcome = await play(cell('rust'), rustProgram({ worker, client: print({ ok: true }) }))
  expect(outcome).toMatchObject({ passed: false, note: 'worker ended with 1: stopped' })
})

test('a Rust worker that ends before it registered fails at once, with the refusals of the server', async () => {
  const worker = `fetch(url + '/api/worker/heartbeat').then(() => { ${print({ ok: false, error: 'refused' })} process.exit(1) });`
  const outcome = await play(cell('rust'), rustProgram({ worker, client: print({ ok: true }) }))
  expect(outcome.passed).toBe(false)
  expect(outcome.note).toMatch(/worker ended with 1: refused; GET \/api\/worker\/heartbeat → 409 .*run_closed/)
})

test('a Rust worker that ends while its client waits fails the cell without waiting for the client', async () => {
  const worker = `${register} setTimeout(() => { ${print({ ok: false, error: 'fatal receipt' })} process.exit(1) }, 300);`
  const outcome = await play(cell('rust'), rustProgram({ worker, client: 'setInterval(() => {}, 1000)' }))
  expect(outcome).toMatchObject({ passed: false, note: 'worker ended with 1: fatal receipt' })
})
