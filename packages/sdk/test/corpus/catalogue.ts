// Every workflow of the corpus. It only grows: a workflow with a recorded history is never edited and never leaves.
import type { Scenario } from './scenario.ts'
import { activityScenarios } from './workflows/activities.ts'
import { combinatorScenarios } from './workflows/combinators.ts'
import { combinedScenarios } from './workflows/combined.ts'
import { conditionScenarios } from './workflows/conditions.ts'
import { determinismScenarios } from './workflows/determinism.ts'
import { endingScenarios } from './workflows/endings.ts'
import { groupScenarios } from './workflows/groups.ts'
import { markerScenarios } from './workflows/markers.ts'
import { signalScenarios } from './workflows/signals.ts'
import { timerScenarios } from './workflows/timers.ts'

export const catalogue: readonly Scenario[] = [
  ...activityScenarios,
  ...timerScenarios,
  ...signalScenarios,
  ...conditionScenarios,
  ...combinatorScenarios,
  ...groupScenarios,
  ...markerScenarios,
  ...determinismScenarios,
  ...endingScenarios,
  ...combinedScenarios,
]
