// Run by guard.test.ts in a process of its own: a branch that nobody awaits fails, once inside workflow code and once outside.

import { installGuard } from '../../src/guard/guard.ts'
import { activity, workflow } from '../../src/index.ts'
import { createReplay, type Replay } from '../../src/replay/replay.ts'
import { drain, event, history } from '../replay/history.ts'

const charge = activity('charge')
const floating = workflow('floating', {}, async (ctx) => {
  const branch = async () => ctx.run(charge)
  void branch()
  await ctx.sleep('1h')
})

const guard = installGuard()
const replay: Replay = createReplay({
  workflow: floating,
  run: {
    workflowId: 'w',
    runId: 'r',
    workflowType: 'floating',
    namespace: 'default',
    taskQueue: 'q',
    attempt: 1,
    startedAt: 0,
    historyBytes: 0,
    continueAsNewSuggested: false,
  },
  arguments: [],
  capabilities: { millisecondDurations: false },
  drain,
  enter: (fn) => guard.enter(replay, fn),
  log: (level, message) => console.log(`${level}: ${message}`),
})
const rows = history(
  event('ActivityScheduled', { sequence: 1, activity_type: 'charge' }),
  event('TimerScheduled', { sequence: 2, delay_seconds: 3_600 }),
  event('ActivityFailed', { sequence: 1, activity_type: 'charge', message: 'declined' }),
)
const { outcome } = await replay.step(rows, {})
console.log(`outcome: ${outcome.kind}`)
if (process.argv.includes('--outside')) void Promise.reject(new Error('outside'))
