// A thread of its own: half of the seeds, on half of the machine.

import { parentPort, workerData } from 'node:worker_threads'
import { carryOutSeeds } from './seeds.ts'

const { first, count, every }: { first: number; count: number; every: number } = workerData
parentPort?.postMessage(await carryOutSeeds({ first, count, every }))
