// Parallel groups of a completion: recorded whole, known again, or refused whole with the claim kept.

import { describe, expect, test } from 'vitest'
import { at, check, payloadOf } from '../../../test/support/check.ts'
import { leasedTask } from '../../../test/support/make.ts'
import {
  type AnyCommand,
  activityCommand,
  complete,
  completeCommand,
  conditionCommand,
  grouped,
  inGroup,
  markerCommand,
  signalCommand,
  timerCommand,
} from '../../../test/support/operations.ts'
import { decide, given } from '../../../test/support/world.ts'

const leased = given({ task: leasedTask() })
const two = inGroup([activityCommand(), activityCommand()])
const [first = activityCommand(), second = activityCommand()] = two

/** [timer, [activity, activity], timer] in one mixed group. */
const nested = grouped(
  [timerCommand(), activityCommand(), activityCommand(), timerCommand()],
  (n) => [{ kind: 'mixed', base: 1, size: 4 }, ...(n === 1 || n === 2 ? [{ kind: 'activity', base: 2, size: 2 }] : [])],
  1,
)

function member(command: AnyCommand, changes: object, entry: object = changes): AnyCommand {
  const path = command.parallel_group_path
  if (!Array.isArray(path)) throw new Error('The command is no member.')
  return { ...command, ...changes, parallel_group_path: [...path.slice(0, -1), { ...path.at(-1), ...entry }] }
}

const facts = (index: number) => ({
  parallel_group_id: 'parallel-activities:1:2',
  parallel_group_kind: 'activity',
  parallel_group_base_sequence: 1,
  parallel_group_size: 2,
  parallel_group_index: index,
})

describe('recorded', () => {
  check([
    {
      name: 'two activities: the members are on every event, the run counts them',
      given: leased,
      operation: complete(two),
      events: [
        ['ActivityScheduled', { sequence: 1, ...facts(0), parallel_group_path: [facts(0)] }],
        ['ActivityScheduled', { sequence: 2, ...facts(1), parallel_group_path: [facts(1)] }],
      ],
      rows: {
        runs: [
          {
            progress: 'parallel_group',
            lastStep: 2,
            parallelGroups: [
              {
                groupId: 'parallel-activities:1:2',
                base: 1,
                size: 2,
                open: 2,
                closedSequence: undefined,
                shape: expect.stringMatching(/^[0-9a-f]{16}$/),
              },
            ],
          },
        ],
        workflowTasks: [{ status: 'completed' }],
        activities: [{ group: { base: 1, facts: { ...facts(0), parallel_group_path: [facts(0)] } } }, { step: 2 }],
      },
    },
    {
      name: 'after a marker of the same completion the group begins at the next step',
      given: leased,
      operation: complete([markerCommand(), ...inGroup([timerCommand(), timerCommand()], 'timer', 2)]),
      events: ['VersionMarkerRecorded', ['TimerScheduled', { sequence: 2 }], ['TimerScheduled', { sequence: 3 }]],
      rows: {
        runs: [{ parallelGroups: [expect.objectContaining({ base: 2, size: 2 })] }],
        workflowTasks: [{}],
        timers: [{ step: 2 }, { step: 3 }],
      },
    },
    {
      name: 'two groups beside a single command',
      given: leased,
      operation: complete([
        ...inGroup([activityCommand()], 'activity', 1),
        timerCommand(),
        ...inGroup([timerCommand(), activityCommand()], 'mixed', 3),
      ]),
      events: ['ActivityScheduled', 'TimerScheduled', 'TimerScheduled', 'ActivityScheduled'],
      rows: {
        runs: [
          {
            parallelGroups: [
              expect.objectContaining({ groupId: 'parallel-activities:1:1', open: 1 }),
              expect.objectContaining({ groupId: 'parallel-calls:3:2', open: 2 }),
            ],
          },
        ],
        workflowTasks: [{}],
        activities: [{}, {}],
        timers: [{ group: undefined }, { step: 3 }],
      },
    },
    {
      name: 'a nested group counts under the outermost one',
      given: leased,
      operation: complete(nested),
      events: [
        'TimerScheduled',
        ['ActivityScheduled', { sequence: 2, parallel_group_id: 'parallel-activities:2:2', parallel_group_index: 0 }],
        'ActivityScheduled',
        ['TimerScheduled', { sequence: 4, parallel_group_id: 'parallel-calls:1:4', parallel_group_index: 3 }],
      ],
      rows: {
        runs: [{ parallelGroups: [expect.objectContaining({ base: 1, size: 4, open: 4 })] }],
        workflowTasks: [{}],
        activities: [{ group: expect.objectContaining({ base: 1 }) }, { group: expect.objectContaining({ base: 1 }) }],
        timers: [{}, {}],
      },
    },
    {
      name: 'null in all six fields is no group',
      given: leased,
      operation: complete([
        timerCommand({
          parallel_group_id: null,
          parallel_group_kind: null,
          parallel_group_base_sequence: null,
          parallel_group_size: null,
          parallel_group_index: null,
          parallel_group_path: null,
        }),
      ]),
      events: ['TimerScheduled'],
      rows: { runs: [{ progress: 'timer', parallelGroups: [] }], workflowTasks: [{}], timers: [{ group: undefined }] },
    },
  ])

  test('a key that the worker adds to an entry survives, for it compares them', () => {
    const sent = two.map((command) => member(command, {}, { note: [1.5, null] }))
    const { changes } = decide(leased, complete(sent), at)
    expect(payloadOf(changes.events[1])).toMatchObject({ parallel_group_path: [{ ...facts(1), note: [1.5, null] }] })
  })

  test('the whole of 1,000 members, and the run closes with a group open', () => {
    const all = inGroup(
      Array.from({ length: 1_000 }, () => timerCommand()),
      'timer',
    )
    const { outcome, world } = decide(leased, complete(all), at)
    expect(outcome.kind).toBe('accepted')
    expect(world.runs[0]?.parallelGroups).toMatchObject([{ size: 1_000, open: 1_000 }])
    const ended = decide(leased, complete([...two, completeCommand()]), at)
    expect(ended.world.runs[0]).toMatchObject({ status: 'completed', parallelGroups: [] })
  })
})

describe('refused whole, the claim kept (history-replay §3.4)', () => {
  const cases: [name: string, commands: readonly AnyCommand[], problem: string | RegExp, index?: number][] = [
    ['a field is missing', [{ ...first, parallel_group_size: undefined }, second], /parallel_group_size is missing/],
    ['the path is missing', [first, { ...second, parallel_group_path: null }], /parallel_group_path is missing/, 1],
    ['only the id is there', [timerCommand({ parallel_group_id: 'parallel-timers:1:1' })], /_kind is missing/],
    ['an empty path', [{ ...first, parallel_group_path: [] }, second], 'parallel_group_path is empty'],
    [
      'the kind is not that of the member',
      inGroup([activityCommand(), activityCommand()], 'timer'),
      /parallel_group_path\.0: parallel_group_kind is "timer"; a member of this type belongs to 'activity' or 'mixed'/,
    ],
    ['a kind with children', inGroup([activityCommand()], 'child'), /parallel_group_kind is "child"/],
    ['an unknown kind', inGroup([activityCommand()], 'rocket'), /parallel_group_kind is "rocket"/],
    ['a base below 1', [member(first, { parallel_group_base_sequence: 0 }), second], /_base_sequence is not a step/],
    ['a base that is text', [member(first, { parallel_group_base_sequence: '1' }), second], /_base_sequence is not/],
    ['a base with a fraction', [member(first, { parallel_group_base_sequence: 1.5 }), second], /_base_sequence is not/],
    ['a size of 0', [member(first, { parallel_group_size: 0 }), second], /_size is not between 1 and 1000/],
    ['a size above the batch', [member(first, { parallel_group_size: 1_001 }), second], /_size is not between 1 and/],
    ['a negative index', [member(first, { parallel_group_index: -1 }), second], /_index is not within the group/],
    ['an index beyond', [first, member(second, { parallel_group_index: 2 })], /_index is not within the group/, 1],
    [
      'an id of another form',
      [member(first, { parallel_group_id: 'parallel-activities:1' }), second],
      /parallel_group_id is "parallel-activities:1"; it must be 'parallel-activities:1:2'/,
    ],
    [
      'an id with the prefix of another kind',
      [member(first, { parallel_group_id: 'parallel-calls:1:2' }), second],
      /it must be 'parallel-activities:1:2'/,
    ],
    [
      'the last entry differs from the fields beside the path',
      [{ ...first, parallel_group_index: 1 }, second],
      /the last entry of parallel_group_path differs/,
    ],
    [
      'a group on the path gives another step',
      nested.map((command, n) =>
        n === 2 && Array.isArray(command.parallel_group_path)
          ? {
              ...command,
              parallel_group_path: [
                { ...command.parallel_group_path[0], parallel_group_index: 3 },
                command.parallel_group_path[1],
              ],
            }
          : command,
      ),
      "group 'parallel-calls:1:4' gives this member step 4, 'parallel-activities:2:2' gives it 3",
      2,
    ],
    [
      'an inner group that is larger than the one around it',
      grouped(
        [activityCommand(), activityCommand()],
        (n) => [
          { kind: 'activity', base: n + 1, size: 1 },
          { kind: 'activity', base: 1, size: 2 },
        ],
        1,
      ),
      "parallel_group_path.1: group 'parallel-activities:1:2' does not lie within 'parallel-activities:1:1'",
    ],
    ['a member is not there', [first], "group 'parallel-activities:1:2' has 1 of its 2 members in this completion"],
    [
      'a member is there twice',
      [first, first, second],
      "group 'parallel-activities:1:2' has 3 of its 2 members in this completion",
    ],
    [
      'the members are out of order',
      [second, first],
      "the members of group 'parallel-activities:1:2' are not in the order of their index: 1 stands at 0",
    ],
    [
      'two groups begin at one step',
      [first, ...inGroup([activityCommand(), activityCommand(), activityCommand()]).slice(1)],
      "groups 'parallel-activities:1:2' and 'parallel-activities:1:3' begin at the same step and depth",
    ],
    [
      'an inner group is not whole',
      grouped(
        [activityCommand(), activityCommand()],
        (n) => [{ kind: 'activity', base: 1, size: 2 }, ...(n === 0 ? [{ kind: 'activity', base: 1, size: 2 }] : [])],
        1,
      ),
      "group 'parallel-activities:1:2' has 1 of its 2 members in this completion",
    ],
    [
      'a base that is not the next step',
      inGroup([activityCommand(), activityCommand()], 'activity', 2),
      "group 'parallel-activities:2:2' gives this member step 2, but the next step of the run is 1",
    ],
    [
      'a command between the members',
      [first, timerCommand(), second],
      "group 'parallel-activities:1:2' gives this member step 2, but the next step of the run is 3",
      2,
    ],
    [
      'durable selection',
      [member(first, {}, { parallel_group_mode: 'select' }), second],
      'parallel_group_path.0: durable selection is not supported by this server yet',
    ],
    [
      'durable selection beside the path',
      [{ ...first, parallel_group_mode: 'select' }, second],
      "field 'parallel_group_mode' is not supported by this server yet",
    ],
    [
      'a condition in a group',
      inGroup([conditionCommand()], 'mixed'),
      "field 'parallel_group_id' is not supported by this server yet",
    ],
    [
      'a signal in a group',
      inGroup([signalCommand()], 'mixed'),
      "field 'parallel_group_id' is not supported by this server yet",
    ],
    [
      'a child in a group',
      inGroup([{ type: 'start_child_workflow', workflow_type: 'Refund' }], 'child'),
      "command 'start_child_workflow' is not supported by this server yet",
    ],
    [
      'a marker in a group',
      inGroup([markerCommand()], 'mixed'),
      "field 'parallel_group_id' is not allowed on this command",
    ],
  ]
  check(
    cases.map(([name, commands, problem, commandIndex = 0]) => ({
      name,
      given: leased,
      operation: complete(commands),
      refused: 'validation_failed',
      facts: {
        commandIndex,
        problem: typeof problem === 'string' ? problem : expect.stringMatching(problem),
      },
    })),
  )
})

describe('sent again (python-replay §10.3)', () => {
  const recorded = decide(leased, complete(two), at).world
  const again = (open: number, closedSequence?: number) => {
    const groups = recorded.runs[0]?.parallelGroups.map((group) => ({ ...group, open, closedSequence })) ?? []
    return given({
      task: leasedTask({ claimedSequence: 20 }),
      run: { parallelGroups: groups, lastStep: 2 },
      activities: recorded.activities.slice(0, open),
    })
  }

  check([
    {
      name: 'with all members open: nothing is recorded of it, the task closes, the run waits on',
      given: again(2),
      operation: complete(two),
      accepted: { runStatus: 'waiting', createdTaskIds: [] },
      rows: { runs: [{ lastStep: 2, progress: 'parallel_group', openActivities: 2 }], workflowTasks: [{}] },
    },
    {
      name: 'with one member open',
      given: again(1),
      operation: complete(two),
      rows: { runs: [{ progress: 'parallel_group' }], workflowTasks: [{ status: 'completed' }] },
    },
    {
      name: 'beside a new command, which takes the next step',
      given: again(2),
      operation: complete([...two, timerCommand()]),
      events: [['TimerScheduled', { sequence: 3 }]],
      rows: { runs: [{ lastStep: 3 }], workflowTasks: [{}], timers: [{ step: 3 }] },
    },
    {
      name: 'the last member ended while the task was leased: nothing is recorded of the group, the run is woken',
      given: {
        ...again(0, 21),
        workflowTasks: [
          leasedTask({ claimedSequence: 20, pendingResume: { ...leasedTask().resume, waitKind: 'activity' } }),
        ],
      },
      operation: complete(two),
      rows: {
        runs: [{ progress: 'workflow_task_ready' }],
        workflowTasks: [{ status: 'completed' }, { status: 'ready' }],
      },
    },
    {
      name: 'a worker that has seen its end does not send it again: refused, for nothing would ever move the run',
      given: again(0, 20),
      operation: complete(two),
      refused: 'validation_failed',
      facts: { problem: "group 'parallel-activities:1:2' gives this member step 1, but the next step of the run is 3" },
    },
    {
      name: 'a completion that has seen the end forgets the group',
      given: again(0, 20),
      operation: complete([timerCommand()]),
      events: ['TimerScheduled'],
      rows: { runs: [{ parallelGroups: [], progress: 'timer' }], workflowTasks: [{}], timers: [{}] },
    },
    {
      name: 'with other members it is not the same group',
      given: again(2),
      operation: complete(inGroup([activityCommand(), timerCommand()], 'mixed')),
      refused: 'validation_failed',
      facts: { problem: "group 'parallel-activities:1:2' is recorded at step 1 with other members" },
    },
  ])
})
