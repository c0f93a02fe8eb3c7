// Gathers what the judge needs: what stands in the database, what clients are answered, what workers wrote down.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Client } from '@durable-workflow/sdk/client'
import { z } from 'zod'
import type { DatabaseReader, Row } from '../../support/database-reader.ts'
import { contracts, expectedOf, type Shape } from './contracts.ts'
import type { ActivityEvidence, EffectLine, EventEvidence, RunEvidence } from './judge.ts'

export interface StartedRun {
  readonly workflowId: string
  readonly shape: Shape
}

const Effect = z.object({ key: z.string(), attempt: z.int(), activityId: z.string() })
const Payload = z.record(z.string(), z.unknown())
const ClosedAttempts = z.array(z.object({ attempt: z.int(), status: z.string() }))

/** Every line of every worker's file. @throws when a line is torn: a line is one write */
export function effectsIn(folder: string): EffectLine[] {
  return readdirSync(folder)
    .filter((name) => name.startsWith('effects-'))
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n'))
    .filter((line) => line !== '')
    .map((line) => Effect.parse(JSON.parse(line)))
}

export async function evidenceOf(
  started: readonly StartedRun[],
  database: DatabaseReader,
  client: Client,
): Promise<RunEvidence[]> {
  const runs = Map.groupBy(await database.rows('select run_id, workflow_id, status from runs'), textOf('workflow_id'))
  const events = Map.groupBy(
    await database.rows('select run_id, sequence, type, payload from history_events order by run_id, sequence'),
    textOf('run_id'),
  )
  const activities = Map.groupBy(
    await database.rows('select run_id, activity_id, closed_attempts_json from activities'),
    textOf('run_id'),
  )
  const evidence: RunEvidence[] = []
  for (const { workflowId, shape } of started) {
    const mine = runs.get(workflowId) ?? []
    const ids = mine.map(textOf('run_id'))
    evidence.push({
      workflowId,
      expected: expectedOf(shape, workflowId),
      runs: mine.map((row) => ({ runId: String(row.run_id), status: String(row.status) })),
      output: await client.get(contracts[shape], workflowId).result({ signal: AbortSignal.timeout(30_000) }),
      events: ids.flatMap((id) => (events.get(id) ?? []).map(eventOf)),
      activities: ids.flatMap((id) => (activities.get(id) ?? []).map(activityOf)),
    })
  }
  return evidence
}

const textOf =
  (column: string) =>
  (row: Row): string =>
    String(row[column])

const eventOf = (row: Row): EventEvidence => ({
  sequence: Number(row.sequence),
  type: String(row.type),
  payload: Payload.parse(JSON.parse(String(row.payload))),
})

const activityOf = (row: Row): ActivityEvidence => ({
  activityId: String(row.activity_id),
  closedAttempts: ClosedAttempts.parse(JSON.parse(String(row.closed_attempts_json ?? '[]'))),
})
