// The worker of the migration, a process of its own: kill it, and the next one goes on where it stopped.
import { join } from 'node:path'
import { createClient } from '@durable-workflow/sdk/client'
import { createWorker } from '@durable-workflow/sdk/worker'
import { dataFolder } from '../../quickstart/src/stage.ts'
import { activitiesOn, startMigrationWith } from './activities.ts'
import { Source, Target } from './rows.ts'
import { migrationImpl, nightlyImpl } from './workflows.ts'

const databases = {
  source: new Source(240),
  target: new Target(join(dataFolder(), 'target')),
  rowMs: 100,
  onResume: (from: number, at: number) => console.log(`  batch from row ${from} goes on at row ${at}`),
}
const client = createClient()
const worker = await createWorker({
  taskQueue: 'migration',
  workflows: [migrationImpl, nightlyImpl],
  activities: [...activitiesOn(databases), startMigrationWith(client)],
  shutdownTimeout: '5s',
})
const running = worker.run()
await Promise.race([worker.ready, running])
console.log(JSON.stringify({ ready: true, workerId: worker.workerId }))
await running
await client.close()
