// A scenario that goes wrong, made smaller while it still goes wrong in the same way.

import type { Scenario, Step } from './scenario.ts'
import type { Found } from './world.ts'

/** Carries a scenario out on its own. */
export type Attempt = (scenario: Scenario) => Promise<Found | undefined>

/** Worlds that a search may cost; a small scenario is worth a second of looking. */
const attemptsMax = 600

export async function shrink(scenario: Scenario, found: Found, attempt: Attempt): Promise<Scenario> {
  let left = attemptsMax
  const fails = async (candidate: Scenario) => {
    left -= 1
    return (await attempt(candidate))?.invariant === found.invariant
  }
  let smallest: Scenario = { ...scenario, steps: scenario.steps.slice(0, found.step + 1) }
  if (!(await fails(smallest))) smallest = scenario
  for (
    let size = Math.ceil(smallest.steps.length / 2);
    size >= 1 && left > 0;
    size = size === 1 ? 0 : Math.ceil(size / 2)
  ) {
    for (let from = 0; from < smallest.steps.length && left > 0; ) {
      const steps = smallest.steps.filter((_, at) => at < from || at >= from + size)
      if (await fails({ ...smallest, steps })) smallest = { ...smallest, steps }
      else from += size
    }
  }
  for (const simpler of [{ servers: 1 }, { workers: 1 }, { workers: 2 }, { workflows: 2 }]) {
    const candidate = { ...smallest, ...simpler }
    if (left > 0 && (await fails(candidate))) smallest = candidate
  }
  for (const at of smallest.steps.keys()) {
    const steps = smallest.steps.map((step, n) => (n === at ? plain(step) : step))
    if (left > 0 && (await fails({ ...smallest, steps }))) smallest = { ...smallest, steps }
  }
  return smallest
}

/** The same step, heard and alone. */
function plain(step: Step): Step {
  return 'fate' in step ? { ...step, fate: 'heard', joined: false } : step
}

/** A scenario as it is written into a table of found ones. */
export function scenarioText({ steps, ...world }: Scenario): string {
  const head = JSON.stringify(world).slice(1, -1)
  return [`{${head},"steps":[`, ...steps.map((step) => `  ${JSON.stringify(step)},`), ']}'].join('\n')
}
