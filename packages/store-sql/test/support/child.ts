// Another server on the same database: `node child.ts <mode> <url>`. It says on stdout what it has reached, one line each.

import { StoreUnavailableError } from '@durable-workflow/engine/ports'
import { openStore } from '../../src/index.ts'
import { changes, event, run } from './make.ts'

const [mode, url = ''] = process.argv.slice(2)
const store = await openStore(url)

switch (mode) {
  case 'open':
    await store.close()
    say('opened')
    break
  case 'increment':
    for (let turn = 0; turn < 100; turn++) await increment()
    await store.close()
    say('incremented')
    break
  case 'hold':
    await store.transact([], async () => {
      say('locked')
      await told()
    })
    await store.close()
    say('released')
    break
  case 'die in transaction':
    await store.transact([], async (transaction) => {
      await transaction.write(changes({ runs: { inserted: [run({ runId: 'r2', workflowId: 'w2' })] } }))
      await transaction.write(moreThanTheCache())
      say('written')
      await told()
    })
    break
  case 'die after commit':
    await store.transact([], (transaction) =>
      transaction.write(changes({ runs: { inserted: [run({ runId: 'r2', workflowId: 'w2' })] } })),
    )
    say('committed')
    await told()
    break
  case 'disk error':
    say(await firstError())
    await told()
    say(await outcome())
    await store.close()
    break
  case 'read only':
    say(await outcome())
    await told()
    say(await outcome())
    await store.close()
    break
  default:
    throw new Error(`There is no mode ${mode}.`)
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

/** Resolves at the next line on stdin. */
function told(): Promise<void> {
  return new Promise((resolve) => {
    process.stdin.once('data', () => {
      process.stdin.destroy()
      resolve()
    })
  })
}

async function increment(): Promise<void> {
  await store.transact(['w1'], async (transaction) => {
    const [found] = (await transaction.load([{ of: 'run', runId: 'r1' }])).runs
    if (found === undefined) throw new Error('There is no run r1.')
    await transaction.write(changes({ runs: { updated: [{ ...found, lastId: found.lastId + 1 }] } }))
  })
}

/** SQLite writes such a transaction to its log before the commit. */
function moreThanTheCache() {
  const payload = JSON.stringify('x'.repeat(1_000_000))
  return changes({
    events: Array.from({ length: 80 }, (_, i) => event({ sequence: i + 2, eventId: `e${i}`, payload })),
  })
}

/** Increments until the file may not grow any more. */
async function firstError(): Promise<string> {
  for (let turn = 1; turn < 10_000; turn++) {
    try {
      await increment()
    } catch (error) {
      return `${error instanceof Error ? error.name : error} after ${turn - 1}`
    }
  }
  return 'no error'
}

async function outcome(): Promise<string> {
  try {
    const runs = await store.list.runs({ workflowId: 'w1' })
    await increment()
    return `wrote, after it had read ${runs.length} run`
  } catch (error) {
    return error instanceof StoreUnavailableError ? error.condition : String(error)
  }
}
