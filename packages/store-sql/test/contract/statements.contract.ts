import type { Changes, SliceKey } from '@durable-workflow/engine/ports'
import { describe, expect, test } from 'vitest'
import { activity, changes, event, run, workflow, workflowTask } from '../support/make.ts'
import { type OpenFresh, withStore } from '../support/suite.ts'

/** Statements are counted at the driver: a group costs what it touches, not how much it holds. */
export function statementsContract(open: OpenFresh): void {
  describe('statements', () => {
    test('a load costs one statement for each kind of key, however many keys', async () => {
      const one = await statementsOf(open, (ids) => ({ keys: ids.flatMap(keysOf) }), 1)
      const two = await statementsOf(open, (ids) => ({ keys: ids.flatMap(keysOf) }), 2)
      const fifty = await statementsOf(open, (ids) => ({ keys: ids.flatMap(keysOf) }), 50)
      // One key has a text of its own, any other number of them the same.
      expect(one).toHaveLength(5)
      expect(two).toHaveLength(5)
      expect(fifty).toStrictEqual(two)
    })

    test('a write costs one statement for each list, in pieces of falling powers of two', async () => {
      const one = await statementsOf(open, (ids) => ({ write: groupOf(ids) }), 1)
      const sixtyFour = await statementsOf(open, (ids) => ({ write: groupOf(ids) }), 64)
      const fifty = await statementsOf(open, (ids) => ({ write: groupOf(ids) }), 50)
      const lists = 6
      expect(one).toHaveLength(lists)
      expect(sixtyFour).toHaveLength(lists)
      // 50 = 32 + 16 + 2
      expect(fifty).toHaveLength(lists * 3)
    })

    test('texts are few: any size of group uses the same ones', async () => {
      const texts = new Set<string>()
      for (const size of [1, 2, 3, 5, 9, 17, 33, 65, 100, 127, 128]) {
        for (const text of await statementsOf(open, (ids) => ({ write: groupOf(ids) }), size)) texts.add(text)
      }
      expect(texts.size).toBe(6 * 7)
    })
  })
}

interface Group {
  readonly keys?: readonly SliceKey[]
  readonly write?: Changes
}

/** The statements of one transaction between begin and commit. */
async function statementsOf(
  open: OpenFresh,
  group: (ids: readonly string[]) => Group,
  size: number,
): Promise<readonly string[]> {
  const heard: string[] = []
  const ids = Array.from({ length: size }, (_, i) => `r${i}`)
  await withStore(
    open,
    async (store) => {
      await store.transact([], (transaction) =>
        transaction.write(
          changes({
            workflows: { inserted: ids.map((id) => workflow({ workflowId: `of-${id}`, currentRunId: id })) },
            runs: { inserted: ids.map(runOf) },
            workflowTasks: { inserted: ids.map(taskOf) },
          }),
        ),
      )
      const { keys, write } = group(ids)
      await store.transact([], async (transaction) => {
        heard.length = 0
        if (keys !== undefined) await transaction.load(keys)
        if (write !== undefined) await transaction.write(write)
        heard.push('end of work')
      })
    },
    { onStatement: (statement) => heard.push(statement) },
  )
  return heard.slice(0, heard.indexOf('end of work'))
}

function keysOf(id: string): readonly SliceKey[] {
  return [
    { of: 'workflow', workflowId: `of-${id}` },
    { of: 'run', runId: id },
    { of: 'openWorkflowTask', runId: id },
    { of: 'openActivities', runId: id },
    { of: 'liveness', namespace: 'default', workerId: id },
  ]
}

function groupOf(ids: readonly string[]): Changes {
  return changes({
    workflows: { updated: ids.map((id) => workflow({ workflowId: `of-${id}`, currentRunId: id, runCount: 2 })) },
    runs: { updated: ids.map(runOf) },
    workflowTasks: {
      updated: ids.map((id) => ({ ...taskOf(id), status: 'completed' })),
      inserted: ids.map((id) => workflowTask({ taskId: `${id}-t2`, runId: id })),
    },
    activities: { inserted: ids.map((id) => activity({ activityId: `${id}-a1`, runId: id })) },
    events: ids.map((id) => event({ runId: id })),
  })
}

function runOf(id: string) {
  return run({ runId: id, workflowId: `of-${id}` })
}

function taskOf(id: string) {
  return workflowTask({ taskId: `${id}-t1`, runId: id })
}
