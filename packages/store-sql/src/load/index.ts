// Reads slices: keys are gathered by kind, each kind that occurs costs one statement.

import type { Loaded, SliceKey } from '@durable-workflow/engine/ports'
import type { Connection, Dialect } from '../dialects/dialect.ts'
import { activityLoader } from './activities.ts'
import { askedOf } from './asked.ts'
import { namespaceLoader } from './namespaces.ts'
import { queryTaskLoader } from './query-tasks.ts'
import { runLoader } from './runs.ts'
import { signalLoader } from './signals.ts'
import { timerLoader } from './timers.ts'
import { waitLoader } from './waits.ts'
import { livenessLoader, registrationLoader } from './workers.ts'
import { workflowTaskLoader } from './workflow-tasks.ts'
import { workflowLoader } from './workflows.ts'

export type Load = (connection: Connection, keys: readonly SliceKey[]) => Promise<Loaded>

export function createLoad(dialect: Dialect): Load {
  const namespaces = namespaceLoader(dialect)
  const workflows = workflowLoader(dialect)
  const runs = runLoader(dialect)
  const workflowTasks = workflowTaskLoader(dialect)
  const activities = activityLoader(dialect)
  const timers = timerLoader(dialect)
  const waits = waitLoader(dialect)
  const signals = signalLoader(dialect)
  const queryTasks = queryTaskLoader(dialect)
  const registrations = registrationLoader(dialect)
  const livenesses = livenessLoader(dialect)

  return async (connection, keys) => {
    const asked = askedOf(keys)
    const foundWorkflows = await workflows(connection, asked)
    for (const workflow of foundWorkflows) asked.run.add(workflow.currentRunId)
    const [
      foundNamespaces,
      foundRuns,
      foundWorkflowTasks,
      foundActivities,
      foundTimers,
      foundWaits,
      foundSignals,
      foundQueryTasks,
      foundRegistrations,
      foundLivenesses,
    ] = await Promise.all([
      namespaces(connection, asked),
      runs(connection, asked),
      workflowTasks(connection, asked),
      activities(connection, asked),
      timers(connection, asked),
      waits(connection, asked),
      signals(connection, asked),
      queryTasks(connection, asked),
      registrations(connection, asked),
      livenesses(connection, asked),
    ])
    return {
      namespaces: foundNamespaces,
      workflows: foundWorkflows,
      runs: foundRuns,
      workflowTasks: foundWorkflowTasks,
      activities: foundActivities,
      timers: foundTimers,
      waits: foundWaits,
      signals: foundSignals,
      queryTasks: foundQueryTasks,
      registrations: foundRegistrations,
      livenesses: foundLivenesses,
    }
  }
}
