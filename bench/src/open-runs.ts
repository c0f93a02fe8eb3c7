// Ballast: runs that are open and wait for a signal while another workload is measured.
import { randomUUID } from 'node:crypto'
import { waitFor } from '@durable-workflow/tests/support/wait-for'
import { echo } from './chain.ts'
import { lastEventOf } from './loads.ts'
import type { Stage } from './stage.ts'
import { isWorkloadName, type WorkloadName } from './workloads.ts'

/** A workload, with open runs beside it or without. */
export interface Asked {
  readonly workload: WorkloadName
  /** 0: without. */
  readonly openRuns: number
}

/** `W1`, or `W1@10k` with ten thousand open runs beside it. */
export function nameOf({ workload, openRuns }: Asked): string {
  if (openRuns === 0) return workload
  return `${workload}@${openRuns % 1_000 === 0 ? `${openRuns / 1_000}k` : openRuns}`
}

/** Reads such a name; `undefined` when there is no such workload. */
export function askedFor(name: string): Asked | undefined {
  const [, workload, count, thousands] = /^(\w+?)(?:@([1-9]\d*)(k?))?$/.exec(name) ?? []
  if (workload === undefined || !isWorkloadName(workload)) return undefined
  return { workload, openRuns: count === undefined ? 0 : Number(count) * (thousands === 'k' ? 1_000 : 1) }
}

const atATime = 50

/** Starts runs that wait for a signal; resolves when every one of them does. */
export async function openWaitingRuns(stage: Stage, count: number): Promise<void> {
  const batch = randomUUID()
  const lanes = async (act: (id: string) => Promise<unknown>): Promise<void> => {
    let next = 0
    const lane = async (): Promise<void> => {
      while (next < count) {
        next += 1
        await act(`${batch}-${next}`)
      }
    }
    await Promise.all(Array.from({ length: atATime }, lane))
  }
  await lanes((id) => stage.client.start(echo, { id, taskQueue: stage.taskQueue }))
  await lanes((id) =>
    waitFor(`run ${id} waits for its signal`, () => lastEventOf(stage.client.get(echo, id)), {
      until: (type) => type === 'SignalWaitOpened',
      timeoutMs: 120_000,
    }),
  )
}
