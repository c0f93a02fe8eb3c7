import { expect, test } from 'vitest'
import { allAdditions } from '../src/settings.ts'
import { startTestServer } from './support/test-server.ts'
import {
  claim,
  claimActivity,
  complete,
  finish,
  queue,
  register,
  resultOf,
  schedule,
  worker,
  workflowType,
} from './support/wire.ts'

/** One run from start to end on a server that advertises a line; every answer as text, without what differs by chance. */
async function transcript(workerProtocolVersion: '1.19' | '1.20', additionsOn: boolean): Promise<string[]> {
  const off = Object.fromEntries(Object.keys(allAdditions).map((name) => [name, false]))
  const additions = additionsOn ? allAdditions : { ...allAdditions, ...off }
  const served = await startTestServer({ settings: { workerProtocolVersion, additions } })
  const texts: string[] = []
  const { client } = served
  const kept: typeof client = {
    ...client,
    async call(id, sent = {}) {
      // Both servers hear the same line; only what they advertise differs.
      const answer = await client.call(id, { ...sent, headers: { ...sent.headers, ...said(id) } })
      texts.push(`${id} ${answer.status} ${answer.text}`)
      return answer
    },
  }
  try {
    await register(kept)
    await kept.call('startWorkflow', {
      body: { workflow_id: 'same', workflow_type: workflowType, task_queue: queue, input: [1] },
    })
    await complete(kept, await claim(kept), [schedule()])
    const activity = await claimActivity(kept)
    await kept.call('completeActivityTask', {
      path: { task_id: activity.task_id },
      body: { activity_attempt_id: activity.activity_attempt_id, lease_owner: worker, result: resultOf(7) },
    })
    await complete(kept, await claim(kept), [finish()])
    await kept.call('describeWorkflow', { path: { workflow_id: 'same' } })
    await kept.call('pollQueryTask', { body: { worker_id: worker, task_queue: queue, timeout_seconds: 0 } })
    await kept.call('getClusterInfo')
  } finally {
    await served.close()
  }
  return texts.map((text) => withoutChance(text, workerProtocolVersion))
}

function said(id: string): Record<string, string> {
  return /^(start|describe|list|get)/.test(id) ? {} : { 'x-durable-workflow-protocol-version': '1.19' }
}

function withoutChance(text: string, advertised: string): string {
  return (
    text
      // An id begins with the time of its start, then the short key of its workflow; the rest is chance.
      .replaceAll(/[0-9a-f]{10}([0-9a-f]{16})[0-9a-f]{6}/g, '<time>$1<chance>')
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<instant>')
      .replaceAll(`"${advertised}"`, '"<advertised>"')
  )
}

test('C-01 a 1.20 server with every capability off answers byte for byte as a 1.19 server, but for the version', async () => {
  const old = await transcript('1.19', false)
  expect(old).toHaveLength(11)
  expect(await transcript('1.20', false)).toEqual(old)
})

test('C-01 the same with our own additions on', async () => {
  expect(await transcript('1.20', true)).toEqual(await transcript('1.19', true))
})
