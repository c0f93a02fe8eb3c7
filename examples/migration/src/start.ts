// `pnpm example:migration`: 240 rows in batches of 20, three at a time, a pause between the waves, a report at the end.
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { WorkflowHandle } from '@durable-workflow/sdk/client'
import { perform, type Stage } from '../../quickstart/src/stage.ts'
import { migration } from './contracts.ts'

await perform({ name: 'migration', workerFile: join(import.meta.dirname, 'worker.ts'), play })

async function play({ client, say }: Stage): Promise<readonly string[]> {
  let number = 0
  let open: string | undefined
  for await (const run of client.list({ type: migration })) {
    number += 1
    if (run.closedReason === undefined) open = run.workflowId
  }
  if (open !== undefined) say(`${open} goes on from an earlier start`)
  const id = open ?? `migration-${number + 1}`
  const input = { batchSize: 20, width: 3, pauseMs: 1_000 }
  const run = await client.start(migration, { id, input, taskQueue: 'migration', ifExists: 'use' })
  say(`${id}: kill its worker if you like, it goes on`)

  await watch(run, say)
  say(`${id}: ${JSON.stringify(await run.result())}`)
  return ['Start it again for another migration; kill -9 the worker in the middle, or press Ctrl-C in the middle.']
}

/** Tells what becomes of the batches, until the run is closed. */
async function watch(run: WorkflowHandle, say: (line: string) => void): Promise<void> {
  let told = 0
  let batches = 0
  while (true) {
    for await (const { sequence, type, payload } of run.history()) {
      if (sequence <= told) continue
      told = sequence
      if (type === 'ActivityCompleted' && payload.activity_type === 'copyBatch') {
        batches += 1
        say(`  ${batches} batches are copied`)
      } else if (type === 'ActivityRetryScheduled') say(`  an attempt was lost or failed; it is tried again`)
      else if (type === 'TimerScheduled') say('  a pause, for the other users of the source')
      else if (type.startsWith('Workflow') && type !== 'WorkflowStarted') return
    }
    await pause(200)
  }
}
