// The files of spec/vectors/histories: one run each, as it was recorded. Their format: spec/vectors/README.md.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { z } from 'zod'

const Envelope = z.strictObject({ codec: z.literal('avro'), blob: z.string() })

const Row = z.strictObject({
  sequence: z.int().min(1),
  event_type: z.string(),
  recorded_at: z.string(),
  payload: z.record(z.string(), z.unknown()),
})

const Turn = z.strictObject({
  events: z.int().min(1),
  commands: z.array(z.looseObject({ type: z.string() })),
  before_change: z.literal(true).optional(),
})

export const RecordedHistory = z.strictObject({
  schema: z.literal('durable-workflow.recorded-history/v1'),
  workflow_type: z.string(),
  workflow_id: z.string(),
  run_id: z.string(),
  namespace: z.string(),
  task_queue: z.string(),
  payload_codec: z.literal('avro'),
  arguments: Envelope,
  millisecond_durations: z.boolean(),
  replay_version: z.int().min(1),
  history_events: z.array(Row),
  turns: z.array(Turn),
})
export type RecordedHistory = z.infer<typeof RecordedHistory>
export type RecordedTurn = RecordedHistory['turns'][number]

export const historiesFolder = new URL('../../../../spec/vectors/histories/', import.meta.url)
const indexFile = new URL('index.json', historiesFolder)

/** Names of all files, in the order of their recording. */
export function readIndex(): readonly string[] {
  return existsSync(indexFile) ? z.array(z.string()).parse(JSON.parse(readFileSync(indexFile, 'utf8'))) : []
}

/** Names of the files that are there, whatever the index says. */
export function filesPresent(): readonly string[] {
  return existsSync(historiesFolder) ? readdirSync(historiesFolder).filter((name) => name !== 'index.json') : []
}

/** @throws Error for a file that was edited: its name says its digest */
export function readHistoryFile(name: string): RecordedHistory {
  const text = readFileSync(new URL(name, historiesFolder), 'utf8')
  if (nameOf(workflowIn(name), text) !== name)
    throw new Error(`${name} was edited; restore it: what was recorded stays as it was`)
  return RecordedHistory.parse(JSON.parse(text))
}

function workflowIn(name: string): string {
  return name.replace(/-[0-9a-f]{8}\.json$/, '')
}

function nameOf(workflow: string, text: string): string {
  return `${workflow}-${createHash('sha256').update(text).digest('hex').slice(0, 8)}.json`
}

/** Adds a file and its line of the index; returns its name. */
export function writeHistoryFile(recorded: RecordedHistory): string {
  const text = textOf(recorded)
  const name = nameOf(recorded.workflow_type, text)
  writeFileSync(new URL(name, historiesFolder), text)
  writeFileSync(indexFile, `${JSON.stringify([...readIndex(), name], null, 1)}\n`)
  return name
}

// One event a line, so that a person can read it and a difference shows.
function textOf({ history_events: events, turns, ...facts }: RecordedHistory): string {
  const lines = (list: readonly unknown[]) => list.map((each) => JSON.stringify(each)).join(',\n')
  const head = JSON.stringify(facts).slice(0, -1)
  return `${head},"history_events":[\n${lines(events)}\n],"turns":[\n${lines(turns)}\n]}\n`
}

/** What two recordings of one workflow have in common when they show the same: the order of events, and who saw how much when. */
export function shapeOf({ history_events: events, turns }: RecordedHistory): string {
  const rows = events.map(({ event_type: type, payload }) => `${type}${String(payload.sequence ?? '')}`)
  const seen = turns.map(({ events: known, commands }) => `${known}:${commands.map(({ type }) => type).join('+')}`)
  return JSON.stringify([rows, seen])
}
