// Registrations: written, renewed, replaced by another process, taken away; liveness apart from them.

import { describe, expect, test } from 'vitest'
import { at, check } from '../../../../test/support/check.ts'
import { liveness, registration, t0 } from '../../../../test/support/make.ts'
import { register } from '../../../../test/support/operations.ts'
import { emptyWorld, given } from '../../../../test/support/world.ts'
import { deregisterWorker } from './deregister.ts'
import { heartbeatWorker } from './heartbeat.ts'
import { isSameProcess } from './register.ts'

const process = { host: 'h', processId: '7', startedAt: 't' }
const name = { namespace: 'default', workerId: 'worker-1' }
const known = given({
  registrations: [registration({ process, definitionFingerprints: { Order: 'f1' }, commandContracts: { Order: 1 } })],
  livenesses: [liveness()],
})

describe('register', () => {
  check([
    {
      name: 'a new worker',
      given: given(),
      operation: register({ liveness: { free: 3 }, process }),
      accepted: { registration: { registrationId: 'registration-2', status: 'active', registeredAt: at } },
      rows: {
        registrations: [{ workerId: 'worker-1', status: 'active', process }],
        livenesses: [{ lastHeartbeatAt: at, report: { free: 3 } }],
      },
    },
    {
      name: 'the same process again keeps its registration id; what it leaves out keeps its value',
      given: known,
      operation: register({ process, definitionFingerprints: { Invoice: 'g1' } }),
      rows: {
        registrations: [
          {
            registrationId: 'registration-1',
            definitionFingerprints: { Order: 'f1', Invoice: 'g1' },
            commandContracts: { Order: 1 },
          },
        ],
        livenesses: [{ lastHeartbeatAt: at }],
      },
    },
    {
      name: 'L-14 another process under the same id gets a new registration id',
      given: known,
      operation: register({ process: { ...process, startedAt: 'later' }, definitionFingerprints: { Order: 'f2' } }),
      rows: {
        registrations: [{ registrationId: 'registration-2', definitionFingerprints: { Order: 'f2' } }],
        livenesses: [{}],
      },
    },
    {
      name: 'the same process may not change a definition',
      given: known,
      operation: register({ process, definitionFingerprints: { Order: 'f2' } }),
      refused: 'workflow_definition_changed',
      facts: { workerId: 'worker-1', workflowType: 'Order' },
    },
    {
      name: 'draining stays',
      given: given({ registrations: [registration({ status: 'draining' })] }),
      operation: register(),
      rows: { registrations: [{ status: 'draining' }], livenesses: [{}] },
    },
    { name: 'an unknown namespace', given: emptyWorld, operation: register(), refused: 'namespace_not_found' },
  ])

  test('L-14 processes are the same when all parts are equal; unknown ones never are', () => {
    expect(isSameProcess(process, { ...process })).toBe(true)
    expect(isSameProcess(process, { ...process, host: 'other' })).toBe(false)
    expect(isSameProcess(process, { ...process, processId: '8' })).toBe(false)
    expect(isSameProcess(process, { ...process, startedAt: 'later' })).toBe(false)
    expect(isSameProcess(undefined, undefined)).toBe(false)
    expect(isSameProcess(process, undefined)).toBe(false)
  })
})

describe('heartbeat', () => {
  check([
    {
      name: 'rewrites liveness alone',
      given: known,
      operation: heartbeatWorker({ ...name, report: { free: 1 } }),
      accepted: { registration: { workerId: 'worker-1' } },
      rows: { livenesses: [{ lastHeartbeatAt: at, report: { free: 1 } }] },
    },
    {
      name: 'without a report keeps the last one',
      given: given({ registrations: [registration()], livenesses: [liveness({ report: { free: 2 } })] }),
      operation: heartbeatWorker({ ...name, report: undefined }),
      rows: { livenesses: [{ lastHeartbeatAt: at, report: { free: 2 } }] },
    },
    {
      name: 'an unknown worker',
      given: given(),
      operation: heartbeatWorker({ ...name, report: undefined }),
      refused: 'worker_not_registered',
    },
  ])
})

describe('deregister', () => {
  check([
    {
      name: 'takes registration and liveness away',
      given: known,
      operation: deregisterWorker(name),
      accepted: { registration: { workerId: 'worker-1' } },
      removes: { registrations: 1, livenesses: 1 },
    },
    {
      name: 'without liveness',
      given: given({ registrations: [registration()] }),
      operation: deregisterWorker(name),
      removes: { registrations: 1 },
    },
    {
      name: 'an unknown worker',
      given: given({ registrations: [registration({ namespace: 'other', registeredAt: t0 })] }),
      operation: deregisterWorker(name),
      refused: 'worker_not_found',
    },
  ])
})
