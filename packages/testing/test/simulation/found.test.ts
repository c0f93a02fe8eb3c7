// What the simulation has found, each as the steps that showed it: they replay exactly, whatever the generator becomes.
// A failing run of simulation.test.ts prints such steps.

import { expect, test } from 'vitest'
import type { Scenario } from './scenario.ts'
import { alone } from './seeds.ts'

interface Row {
  /** What holds now. */
  readonly name: string
  /** What it was. */
  readonly was: string
  readonly scenario: Scenario
}

const rows: readonly Row[] = [
  {
    name: 'L-14 a worker gives up the lease that was found, and none that it was given since',
    was: 'Two deregistrations at once: the second one freed the task that the same worker id had claimed after the first.',
    scenario: {
      name: '7822',
      chance: 2041053399,
      servers: 1,
      workers: 2,
      workflows: 2,
      steps: [
        { do: 'start', who: 29, which: 0, how: 917, fate: 'heard', joined: false },
        { do: 'pollWorkflow', who: 22, which: 39, how: 864, fate: 'heard', joined: false },
        { do: 'deregister', who: 52, which: 34, how: 962, fate: 'twice', joined: true },
        { do: 'pollWorkflow', who: 18, which: 34, how: 18, fate: 'heard', joined: true },
        { do: 'pollWorkflow', who: 30, which: 27, how: 871, fate: 'heard', joined: false },
      ],
    },
  },
  {
    name: 'UW7 a recorded report is not answered as if nothing was written when the tasks that it carries cannot be read',
    was: 'The history of a handed-over task could not be read: the answer said that nothing was written.',
    scenario: {
      name: '1034',
      chance: 443825228,
      servers: 2,
      workers: 1,
      workflows: 2,
      steps: [
        { do: 'start', who: 35, which: 0, how: 704, fate: 'heard', joined: false },
        { do: 'pollWorkflow', who: 5, which: 8, how: 508, fate: 'heard', joined: false },
        { do: 'trouble', server: 0, how: 'read fails' },
        { do: 'crash', server: 1, at: 'locked' },
        { do: 'workflowTask', who: 9, which: 43, how: 302, fate: 'heard', joined: false },
        { do: 'pollWorkflow', who: 41, which: 7, how: 562, fate: 'heard', joined: false },
        { do: 'signal', who: 36, which: 57, how: 180, fate: 'heard', joined: false },
        { do: 'workflowTask', who: 0, which: 34, how: 748, fate: 'lost', joined: true },
        { do: 'trouble', server: 0, how: 'read fails' },
      ],
    },
  },
  {
    name: 'a timeout that one server held is let go when the task closes at another one, whose clock is behind',
    was: 'The second server took it for one that is not due yet, and no sweep looks at a held one: the wait never timed out.',
    scenario: {
      name: '123448',
      chance: 695536196,
      servers: 2,
      workers: 1,
      workflows: 2,
      steps: [
        { do: 'start', who: 41, which: 0, how: 46, fate: 'heard', joined: false },
        { do: 'skew', server: 0, ms: -1500 },
        { do: 'pollWorkflow', who: 63, which: 63, how: 53, fate: 'heard', joined: false },
        { do: 'workflowTask', who: 38, which: 56, how: 587, fate: 'heard', joined: false },
        { do: 'signal', who: 16, which: 59, how: 15, fate: 'heard', joined: false },
        { do: 'pollWorkflow', who: 26, which: 14, how: 986, fate: 'heard', joined: false },
        { do: 'start', who: 6, which: 19, how: 245, fate: 'heard', joined: false },
        { do: 'jump', ms: 2000 },
      ],
    },
  },
  {
    name: 'UW7 L-18 a poll whose claim may be committed is not given a second task',
    was: 'The commit of a claim was unknown: its poll waited on and got another task, the first waited for the end of its lease.',
    scenario: {
      name: '14',
      chance: 1672412558,
      servers: 1,
      workers: 2,
      workflows: 2,
      steps: [
        { do: 'start', who: 15, which: 51, how: 238, fate: 'heard', joined: false },
        { do: 'pollWorkflow', who: 6, which: 37, how: 926, fate: 'heard', joined: true },
        { do: 'trouble', server: 1, how: 'unknown, committed' },
        { do: 'start', who: 52, which: 0, how: 765, fate: 'heard', joined: false },
      ],
    },
  },
]

test.for(rows)('$name', async ({ scenario }) => {
  expect(await alone(scenario)).toBeUndefined()
})
