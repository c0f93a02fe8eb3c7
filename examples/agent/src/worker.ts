// The agent's worker, a process of its own. AGENT_PAUSE: milliseconds that the stand-in for a model thinks; default 400.
import { createWorker } from '@durable-workflow/sdk/worker'
import { dataFolder } from '../../quickstart/src/stage.ts'
import { activitiesWith } from './activities.ts'
import { RehearsedModel } from './model.ts'
import { agentImpl } from './workflows.ts'

const model = new RehearsedModel(Number(process.env.AGENT_PAUSE ?? 400))
const worker = await createWorker({
  taskQueue: 'agent',
  workflows: [agentImpl],
  activities: activitiesWith({ model, folder: dataFolder() }),
  shutdownTimeout: '5s',
})
const running = worker.run()
await Promise.race([worker.ready, running])
console.log(JSON.stringify({ ready: true, workerId: worker.workerId }))
await running
