// A program played against rows: what the server does next is drawn, and after every task the replays are compared.
import type { Command, HistoryEvent } from '@durable-workflow/protocol'
import fc from 'fast-check'
import { expect } from 'vitest'
import type { WorkflowImplementation } from '../../../src/authoring/workflow.ts'
import type { ReplayStep } from '../../../src/replay/replay.ts'
import { type Overrides, openReplay } from '../history.ts'
import { Rows } from './rows.ts'

// Every microtask runs before the next tick; as a worker drains, and a hundred thousand times here.
export const drain = () => new Promise<void>((resolve) => void process.nextTick(resolve))

export function open(flow: WorkflowImplementation, overrides: Overrides = {}) {
  return openReplay(flow, { drain, ...overrides }).replay
}

/** What a turn sends, as bytes. */
export function bytesOf({ commands, steps, outcome, resolvedWaits }: ReplayStep): string {
  return JSON.stringify([commands, steps, outcome, resolvedWaits])
}

export async function cold(flow: WorkflowImplementation, page: readonly HistoryEvent[]): Promise<ReplayStep> {
  const replay = open(flow)
  const step = await replay.step(page, {})
  replay.dispose()
  return step
}

export type Turn =
  | { readonly kind: 'end'; readonly choice: number; readonly succeeds: boolean }
  | { readonly kind: 'poke' | 'tell' | 'noise' }
  /** A task; what is written while it is under way stands before its rows. */
  | { readonly kind: 'wake'; readonly meanwhile: 'nothing' | 'poke' | 'tell' | 'end' }

export const turns: fc.Arbitrary<readonly Turn[]> = fc.array(
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({ kind: fc.constant('end' as const), choice: fc.nat(9), succeeds: fc.boolean() }),
    },
    { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('poke' as const, 'tell' as const, 'noise' as const) }) },
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant('wake' as const),
        meanwhile: fc.constantFrom(
          'nothing' as const,
          'nothing' as const,
          'poke' as const,
          'tell' as const,
          'end' as const,
        ),
      }),
    },
  ),
  { minLength: 1, maxLength: 30 },
)

const tasksMax = 200

/** Plays to the end of the run; a cold replay and one that goes on must send the same, twice, whatever a query asks between. */
export async function play(flow: WorkflowImplementation, drawn: readonly Turn[]): Promise<Rows> {
  const rows = new Rows()
  const sticky = open(flow)
  let applied = 0
  const wake = async (meanwhile: 'nothing' | 'poke' | 'tell' | 'end') => {
    const page = rows.page()
    const step = await sticky.step(page.slice(applied), {})
    applied = page.length
    const again = [await cold(flow, page), await cold(flow, page)]
    const sent = { ...step, resolvedWaits: [] }
    // Which waits were named before is known to a replay that goes on alone.
    for (const other of again) expect(bytesOf({ ...other, resolvedWaits: [] })).toBe(bytesOf(sent))
    // Dense, one after the other: nothing is lost, nothing comes twice.
    const expected = step.commands.map((command, index) =>
      isTerminal(command) ? undefined : rows.lastStep + 1 + index,
    )
    expect(step.steps).toEqual(expected)
    const before = sticky.size
    expect(await sticky.query('view', [])).toBe(await sticky.query('view', []))
    expect(sticky.size).toBe(before)
    if (meanwhile === 'end') rows.end(0, true)
    else if (meanwhile !== 'nothing') rows.signal(meanwhile)
    rows.record(step.commands, step.resolvedWaits)
  }
  await wake('nothing')
  for (const turn of drawn) {
    if (rows.hasEnded) break
    if (turn.kind === 'end') rows.end(turn.choice, turn.succeeds)
    else if (turn.kind === 'wake') await wake(turn.meanwhile)
    else if (turn.kind === 'noise') rows.noise()
    else rows.signal(turn.kind)
  }
  // Whatever the order was so far, the run gets to its end: the oldest open step ends, the run is woken.
  for (let left = tasksMax; left > 0 && !rows.hasEnded; left -= 1) {
    rows.end(0, true)
    await wake('nothing')
  }
  expect(rows.hasEnded).toBe(true)
  sticky.dispose()
  return rows
}

function isTerminal({ type }: Command): boolean {
  return type === 'complete_workflow' || type === 'fail_workflow'
}
