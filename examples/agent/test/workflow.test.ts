// The agent in virtual time: a week passes in milliseconds, and a model is a list of answers.
import { testEnvironment } from '@durable-workflow/testing'
import { expect, test } from 'vitest'
import {
  agent,
  answered,
  book,
  type Conversation,
  calculate,
  progress,
  search,
  type Turn,
  think,
} from '../src/contracts.ts'
import { agentImpl } from '../src/workflows.ts'

/** An environment whose model says `turns`, one after the other, and then for ever the last; `heard` is what it was told. */
async function withModel(turns: readonly [Turn, ...Turn[]]) {
  const heard: Conversation[] = []
  const env = await testEnvironment({
    workflows: [agentImpl],
    activities: [
      think.implement((conversation) => {
        heard.push(conversation)
        return turns[Math.min(heard.length, turns.length) - 1] ?? turns[0]
      }),
      search.implement(({ words }) => ({ summary: `about ${words}`, key: 'k' })),
      calculate.implement(({ numbers }) => ({ sum: numbers.reduce((sum, number) => sum + number, 0) })),
      book.implement(() => {
        throw new Error('sold out')
      }),
    ],
  })
  return { env, heard }
}

const goal = 'A weekend in Porto'
const ask: Turn = { kind: 'ask', question: 'Book it?' }

test('nobody answers within a week: the run ends, and says what was asked', async () => {
  const { env } = await withModel([ask])
  await using _closed = env
  const run = await env.client.start(agent, { input: { goal } })
  await env.advance('6 days')
  expect(await run.query(progress)).toEqual({ notes: [], question: 'Book it?' })
  await env.advance('1 day')
  expect(await run.result()).toEqual({ outcome: 'nobody answered', answer: 'Book it?', steps: 1 })
})

test('an answer after six days is heard by the model, also when the worker has died meanwhile', async () => {
  const { env, heard } = await withModel([ask, { kind: 'done', answer: 'as you like' }])
  await using _closed = env
  const run = await env.client.start(agent, { input: { goal } })
  await env.advance('3 days')
  await env.crashWorker()
  await env.startWorker()
  await env.advance('3 days')
  await run.signal(answered, { text: 'no' })
  expect(await run.result()).toEqual({ outcome: 'done', answer: 'as you like', steps: 2 })
  expect(heard.map(({ notes }) => notes.at(-1)?.saw)).toEqual([undefined, 'no'])
})

test('a tool that fails for good is something that the model sees', async () => {
  const { env, heard } = await withModel([
    { kind: 'book', what: 'a room', euros: 1 },
    { kind: 'done', answer: 'none' },
  ])
  await using _closed = env
  const run = await env.client.start(agent, { input: { goal } })
  await env.advance('10 minutes')
  expect(await run.result()).toMatchObject({ outcome: 'done' })
  expect(heard.at(-1)?.notes).toEqual([{ step: 1, did: 'book', saw: 'failed: sold out' }])
})

test('a model that never ends is stopped by its budget, and is told the newest notes only', async () => {
  const { env, heard } = await withModel([{ kind: 'search', words: 'more' }])
  await using _closed = env
  const run = await env.client.start(agent, { input: { goal, stepsMax: 20 } })
  expect(await run.result()).toMatchObject({ outcome: 'out of steps', steps: 20 })
  expect(heard).toHaveLength(20)
  expect(Math.max(...heard.map(({ notes }) => notes.length))).toBe(8)
})

test('a new run is pinned to the newest prompt', async () => {
  const { env, heard } = await withModel([{ kind: 'done', answer: 'x' }])
  await using _closed = env
  await (await env.client.start(agent, { input: { goal } })).result()
  expect(heard.map(({ prompt }) => prompt)).toEqual([2])
})
