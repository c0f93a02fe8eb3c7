// The worker process of the benchmark: `worker.ts SERVER_URL TASK_QUEUE`; prints one JSON line when it polls.
import { createWorker } from '@durable-workflow/sdk/worker'
import { chainImplementation, echoImplementation, stepImplementation, timedChainImplementation } from './chain.ts'
import { fanOutImplementation, groupedFanOutImplementation } from './fan-out.ts'

const [server, taskQueue] = process.argv.slice(2)
if (server === undefined || taskQueue === undefined) throw new Error('usage: worker.ts SERVER_URL TASK_QUEUE')

const worker = await createWorker({
  server,
  taskQueue,
  workflows: [
    chainImplementation,
    echoImplementation,
    fanOutImplementation,
    groupedFanOutImplementation,
    timedChainImplementation,
  ],
  activities: [stepImplementation],
})
const running = worker.run()
await worker.ready
console.log(JSON.stringify({ ready: true }))
await running
