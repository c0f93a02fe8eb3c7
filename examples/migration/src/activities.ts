import { setTimeout as pause } from 'node:timers/promises'
import { type ActivityImplementation, RefusedError } from '@durable-workflow/sdk'
import type { Client } from '@durable-workflow/sdk/client'
import { compare, copyBatch, countRows, migration, startMigration } from './contracts.ts'
import type { Source, Target } from './rows.ts'

export interface Databases {
  readonly source: Source
  readonly target: Target
  /** What a row takes, in milliseconds. */
  readonly rowMs: number
  /** Hears of every batch that goes on where a lost attempt stopped. */
  readonly onResume: (from: number, at: number) => void
}

export function activitiesOn({ source, target, rowMs, onResume }: Databases): ActivityImplementation[] {
  return [
    countRows.implement(() => source.size),
    copyBatch.implement(async ({ from, to }, ctx) => {
      // Where the last attempt had come: its heartbeats carried it. The row after it may have been written; no matter.
      const begin = ctx.lastHeartbeat<{ next: number }>()?.next ?? from
      if (begin > from) onResume(from, begin)
      for (let at = begin; at < to; at += 1) {
        target.write(source.read(at))
        ctx.heartbeat({ next: at + 1 })
        await pause(rowMs, undefined, { signal: ctx.signal })
      }
      return { rows: to - from, attempts: ctx.info.attempt }
    }),
    compare.implement(() => {
      let missing = 0
      let different = 0
      for (let at = 0; at < source.size; at += 1) {
        const row = source.read(at)
        const text = target.read(row.key)
        if (text === undefined) missing += 1
        else if (text !== row.text) different += 1
      }
      return { missing, different }
    }),
  ]
}

/** An activity may start workflows: it has a client. The same night started twice is one run, also when that has ended meanwhile. */
export function startMigrationWith(client: Client): ActivityImplementation {
  return startMigration.implement(async ({ id, plan }, ctx) => {
    const { taskQueue } = ctx.info
    try {
      await client.start(migration, { id, input: plan, taskQueue, signal: ctx.signal })
    } catch (error) {
      const isStarted = RefusedError.is(error) && error.reason === 'duplicate_not_allowed'
      if (!isStarted) throw error
    }
  })
}
