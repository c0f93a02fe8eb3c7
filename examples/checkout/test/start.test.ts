// The checkout started as its README says: an order that ships, one that is refunded, one that waits for the next start.
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { root } from '../../quickstart/src/programs.ts'
import { startExample } from '../../quickstart/test/started.ts'
import { Ledger } from '../src/payments.ts'

const folder = await mkdtemp(join(tmpdir(), 'durable-workflow-checkout-'))
afterAll(() => rm(folder, { recursive: true, force: true }))

const start = () => startExample('examples/checkout/src/start.ts', { EXAMPLE_DATA: folder, DW_PORT: '0' })

async function shop(server: string, ...args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--conditions=source', '--disable-warning=ExperimentalWarning', 'examples/checkout/src/shop.ts', ...args],
    { cwd: root, env: { ...process.env, DURABLE_WORKFLOW_SERVER_URL: server } },
  )
  return stdout
}

test('orders ship, are refunded, or wait for a word that may come after the next start', async () => {
  const first = start()
  expect(await first.line(/order-1: \{/)).toContain(
    '{"kind":"shipped","paymentId":"pay-1","parcelId":"parcel-order-1"}',
  )
  expect(await first.line(/order-2: \{/)).toContain('"kind":"refunded"')
  await first.line(/order-3 waits for your word/)
  expect(await first.interrupt()).toBe(0)

  const second = start()
  const url = (await second.line(/server at /)).match(/http:\S+[^,\s]/)?.[0] ?? ''
  await second.line(/order-3 still waits for a decision, from an earlier start/)
  expect(await shop(url, 'status', 'order-3')).toContain('waiting for a decision')
  expect(await shop(url, 'approve', 'order-3', 'me')).toContain('"kind":"shipped"')
  expect(await shop(url, 'order', 'mine', '700', 'Oslo')).toContain('mine waits for a decision')
  expect(await shop(url, 'order', 'mine', '700', 'Oslo')).toContain('mine waits for a decision')
  expect(await shop(url, 'reject', 'mine', 'me')).toContain('{"kind":"rejected","by":"me"}')
  expect(await shop(url, 'list')).toMatch(/mine +completed/)
  await second.line(/order-6 waits for your word/)
  expect(await second.interrupt()).toBe(0)

  const charged = new Ledger(join(folder, 'ledger.jsonl')).entries().filter(({ kind }) => kind === 'charge')
  expect(charged.map(({ cents }) => cents ?? 0).toSorted((a, b) => a - b)).toEqual([1_500, 4_200, 4_200, 9_900, 9_900])
})

test('a ledger charges once for a key, and refunds once', () => {
  const ledger = new Ledger(join(folder, 'keys.jsonl'))
  const payment = ledger.charge('a', 100)
  expect(ledger.charge('a', 100)).toBe(payment)
  expect(ledger.charge('b', 100)).not.toBe(payment)
  ledger.refund('c', payment)
  ledger.refund('c', payment)
  expect(ledger.entries().map(({ kind }) => kind)).toEqual(['charge', 'charge', 'refund'])
})
