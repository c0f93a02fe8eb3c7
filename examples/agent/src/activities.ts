// The model and the tools, as activities.
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ActivityImplementation } from '@durable-workflow/sdk'
import { book, calculate, search, Turn, think } from './contracts.ts'
import type { Model } from './model.ts'

export interface Tools {
  readonly model: Model
  /** Where long texts, bookings and the list of model calls are kept. */
  readonly folder: string
}

export function activitiesWith({ model, folder }: Tools): ActivityImplementation[] {
  return [
    think.implement(async (conversation, ctx) => {
      const turn = Turn.parse(await model.next(conversation, ctx.signal))
      appendFileSync(join(folder, 'model-calls.jsonl'), `${JSON.stringify({ pid: process.pid, turn: turn.kind })}\n`)
      return turn
    }),
    search.implement(({ words }) => {
      const key = `${words.replaceAll(/\W+/g, '-')}.txt`
      writeFileSync(join(folder, key), `${words}: train 180, hotel 240\n${'one of ten thousand results\n'.repeat(200)}`)
      return { summary: 'train 180, hotel 240', key }
    }),
    calculate.implement(({ numbers }) => ({ sum: numbers.reduce((sum, number) => sum + number, 0) })),
    book.implement(({ what, euros }, ctx) => ({ bookingId: bookOnce(folder, ctx.idempotencyKey, what, euros) })),
  ]
}

/** Stands for a travel agency that takes idempotency keys. */
function bookOnce(folder: string, key: string, what: string, euros: number): string {
  const file = join(folder, 'bookings.jsonl')
  const bookings = existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : []
  const at = bookings.findIndex((line) => JSON.parse(line).key === key)
  if (at !== -1) return `booking-${at + 1}`
  appendFileSync(file, `${JSON.stringify({ key, what, euros })}\n`)
  return `booking-${bookings.length + 1}`
}
