// RP5 and what follows from it, over random programs and random orders of what a server may record.
//
// Method: a small interpreter carries out a random program of calls (orders/program.ts). A server that only numbers rows takes
// the commands of a task, opens them, and ends open ones in an order that fast-check draws, with signals, timeouts, failures and
// rows of no meaning between; sometimes it wakes the run, sometimes it lets rows gather, sometimes rows arrive while a task is
// under way (orders/rows.ts, orders/play.ts).
//
//   after every task: cold, going on, and twice the same bytes; steps are dense; a query changes nothing
//   over the whole history: the same from every cut, one row at a time, and with a change of code that asks for versions
//   any change of an opening's type, step or name is a mismatch, never another result
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { NonDeterminismError } from '../../src/index.ts'
import { mutationsOf } from './orders/mutation.ts'
import { cold, open, play, turns } from './orders/play.ts'
import { flowOf, program } from './orders/program.ts'

const seed = Number(process.env.DW_TEST_SEED ?? Date.now() % 2 ** 31)
const seen = { programs: 0, rows: 0, cuts: 0, mutations: 0, completed: 0, failed: 0 }
afterAll(() => console.log(`orders.property: seed ${seed} (DW_TEST_SEED repeats it); ${JSON.stringify(seen)}`))

const forAll = (runs: number, holds: (drawn: Awaited<ReturnType<typeof drawnOf>>) => Promise<void>) =>
  fc.assert(
    fc.asyncProperty(program, turns, async (one, order) => holds(await drawnOf(one, order))),
    { seed, numRuns: Number(process.env.DW_TEST_RUNS ?? runs), endOnFailure: process.env.CI === 'true' },
  )

async function drawnOf(one: Parameters<typeof flowOf>[0], order: Parameters<typeof play>[1]) {
  const flow = flowOf(one)
  const rows = await play(flow, order)
  seen.programs += 1
  seen.rows += rows.events.length
  seen[rows.terminal?.type === 'complete_workflow' ? 'completed' : 'failed'] += 1
  return { program: one, flow, rows }
}

const cutsMax = 30

describe('RP5', () => {
  it('from every cut a replay goes on to the same end, with the same answers', async () => {
    await forAll(200, async ({ flow, rows }) => {
      const page = rows.page()
      const whole = open(flow)
      const { commands, outcome } = await whole.step(page, {})
      const answer = await whole.query('view', [])
      const every = Math.ceil(page.length / cutsMax)
      for (let cut = 1; cut < page.length; cut += every) {
        seen.cuts += 1
        const replay = open(flow)
        const first = await replay.step(page.slice(0, cut), {})
        const second = await replay.step(page.slice(cut), {})
        // What the first part sent and history has not recorded since is what a whole replay sends before the rest.
        const sent = [...first.commands, ...second.commands]
        const news = sent.slice(sent.length - commands.length)
        expect(JSON.stringify([news, second.outcome])).toBe(JSON.stringify([commands, outcome]))
        expect(await replay.query('view', [])).toBe(answer)
        replay.dispose()
      }
      whole.dispose()
    })
  })

  it('one row at a time gives the same commands as all rows at once', async () => {
    await forAll(60, async ({ flow, rows }) => {
      const page = rows.page()
      const { commands } = await cold(flow, page)
      const single = open(flow)
      const sent: unknown[] = []
      for (const row of page) sent.push(...(await single.step([row], {})).commands)
      expect(JSON.stringify(sent.slice(sent.length - commands.length))).toBe(JSON.stringify(commands))
      single.dispose()
    })
  })

  it('the closed history is replayed without a command, to the recorded end', async () => {
    await forAll(40, async ({ flow, rows }) => {
      const replay = open(flow, { comparesEnding: true })
      const { commands, closedBy, outcome } = await replay.step(rows.closed(), {})
      const ending = rows.terminal?.type === 'complete_workflow' ? 'completed' : 'failed'
      expect([commands, closedBy, outcome.kind]).toEqual([[], 'code', ending])
    })
  })

  it('a run from before a change replays with versions asked for before every call, all of them -1', async () => {
    await forAll(60, async ({ program: one, rows }) => {
      const versions = new Set<number>()
      const changed = flowOf(one, (ctx, place) => void versions.add(ctx.version(`change of ${place}`, { max: 7 })))
      const { commands, outcome } = await cold(changed, rows.closed())
      const ending = rows.terminal?.type === 'complete_workflow' ? 'completed' : 'failed'
      expect([commands, outcome.kind]).toEqual([[], ending])
      expect([...versions].filter((version) => version !== -1)).toEqual([])
    })
  })
})

describe('a history that was changed', () => {
  it('is a mismatch where the type or the name of an opening is another; another step is one, or changes nothing', async () => {
    await forAll(100, async ({ flow, rows }) => {
      for (const { events, what, row } of mutationsOf(rows.closed())) {
        seen.mutations += 1
        const replay = open(flow, { comparesEnding: true })
        const end = await replay.step(events, {}).catch((error: unknown) => error)
        replay.dispose()
        if (NonDeterminismError.is(end)) continue
        if (end instanceof Error) throw end
        // Servers may number with gaps: then the code has come to the recorded end all the same, down to its bytes.
        expect(`${what} of row ${row} is not told`).toBe(`step of row ${row} is not told`)
      }
    })
  })
})
