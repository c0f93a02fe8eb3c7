// The worker of the shop, a process of its own.
import { join } from 'node:path'
import { createWorker } from '@durable-workflow/sdk/worker'
import { dataFolder } from '../../quickstart/src/stage.ts'
import { activitiesOn } from './activities.ts'
import { Ledger } from './payments.ts'
import { checkoutImpl } from './workflows.ts'

const worker = await createWorker({
  taskQueue: 'checkout',
  workflows: [checkoutImpl],
  activities: activitiesOn(new Ledger(join(dataFolder(), 'ledger.jsonl'))),
  shutdownTimeout: '5s',
})
const running = worker.run()
await Promise.race([worker.ready, running])
console.log(JSON.stringify({ ready: true, workerId: worker.workerId }))
await running
