import { createWorker } from '@durable-workflow/sdk/worker'
import { kept, mark } from './contracts.ts'

const worker = await createWorker({ taskQueue: 'packed', workflows: [kept], activities: [mark] })
await worker.run()
