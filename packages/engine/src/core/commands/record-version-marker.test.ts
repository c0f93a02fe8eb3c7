import { check } from '../../../test/support/check.ts'
import { leasedTask } from '../../../test/support/make.ts'
import { complete, completeCommand, markerCommand, timerCommand } from '../../../test/support/operations.ts'
import { given } from '../../../test/support/world.ts'

const leased = given({ task: leasedTask() })
const outside = (version: number) =>
  `version ${version} of change 'pricing' is outside of min_supported 1 to max_supported 3`

check([
  {
    name: 'all four members are recorded under a step of its own',
    given: leased,
    operation: complete([markerCommand(), timerCommand()]),
    events: [
      ['VersionMarkerRecorded', { sequence: 1, change_id: 'pricing', version: 2, min_supported: 1, max_supported: 3 }],
      ['TimerScheduled', { sequence: 2 }],
    ],
    rows: { runs: [{ lastStep: 2 }], workflowTasks: [{}], timers: [{ step: 2 }] },
  },
  ...[
    ['the code before the change', { version: -1, min_supported: -1, max_supported: 1 }],
    ['the lower end', { version: 1 }],
    ['the upper end', { version: 3 }],
    ['a payload codec, which means nothing here', { payload_codec: 'json' }],
  ].map(([name, fields]) => ({
    name: `accepted: ${String(name)}`,
    given: leased,
    operation: complete([markerCommand(Object(fields)), completeCommand()]),
    accepted: { runStatus: 'completed' },
    events: ['VersionMarkerRecorded', 'WorkflowCompleted'],
    rows: { runs: [{ status: 'completed', lastStep: 1 }], workflowTasks: [{}] },
  })),
  ...[0, 4].map((version) => ({
    name: `refused whole, the claim kept: version ${version} of 1 to 3`,
    given: leased,
    operation: complete([timerCommand(), markerCommand({ version })]),
    refused: 'validation_failed',
    facts: { commandIndex: 1, commandType: 'record_version_marker', problem: outside(version) },
  })),
  {
    name: 'refused: a range that is empty',
    given: leased,
    operation: complete([markerCommand({ version: 2, min_supported: 3, max_supported: 1 })]),
    refused: 'validation_failed',
    facts: { commandType: 'record_version_marker' },
  },
])
