// The sample worker, a process of its own: stop it, start it, start three of it.
import { createWorker } from '@durable-workflow/sdk/worker'
import { chargeImpl, reserveImpl } from './activities.ts'
import { checkoutImpl } from './workflows.ts'

const worker = await createWorker({
  taskQueue: 'orders',
  workflows: [checkoutImpl],
  activities: [chargeImpl, reserveImpl],
  shutdownTimeout: '5s',
})
const running = worker.run()
await Promise.race([worker.ready, running])
console.log(JSON.stringify({ ready: true, workerId: worker.workerId }))
await running
