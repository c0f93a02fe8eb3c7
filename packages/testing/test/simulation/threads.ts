// Seeds over the processors of the machine, and one tally of all of them.

import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { Range } from './seeds.ts'
import { addTally, emptyTally } from './tally.ts'

const execArgv = ['--conditions=source', '--disable-warning=ExperimentalWarning']

/** Carries out `count` seeds from `first` on; with failures, the one of the lowest seed. */
export async function carryOutOnThreads(first: number, count: number): Promise<Range> {
  const every = Math.min(availableParallelism(), 4, count)
  const parts = Array.from({ length: every }, (_, at) => ({
    first: first + at,
    count: Math.ceil((count - at) / every),
    every,
  }))
  const ranges = await Promise.all(parts.map(onThread))
  const tally = emptyTally()
  for (const range of ranges) addTally(tally, range.tally)
  const failures = ranges.flatMap(({ failure }) => failure ?? []).sort((a, b) => a.seed - b.seed)
  return { tally, failure: failures[0] }
}

function onThread(workerData: {
  readonly first: number
  readonly count: number
  readonly every: number
}): Promise<Range> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(new URL('./thread.ts', import.meta.url), { workerData, execArgv })
    thread.once('message', resolve)
    thread.once('error', reject)
    thread.once('exit', (code) => reject(new Error(`A thread of the simulation ended with ${code} and said nothing.`)))
  })
}
