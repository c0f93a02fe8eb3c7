import { expect, test } from 'vitest'
import { prompts, RehearsedModel } from '../src/model.ts'

const model = new RehearsedModel(0)
const never = new AbortController().signal
const seen = [
  { step: 1, did: 'searched: x', saw: 'y' },
  { step: 2, did: 'added: 1 + 2', saw: '3' },
]

test('the first prompt books without asking; the second asks first', async () => {
  expect(Object.keys(prompts)).toEqual(['1', '2'])
  expect(await model.next({ goal: 'g', prompt: 1, notes: seen }, never)).toMatchObject({ kind: 'book' })
  expect(await model.next({ goal: 'g', prompt: 2, notes: seen }, never)).toMatchObject({ kind: 'ask' })
})

test('a human who does not say yes is obeyed', async () => {
  const notes = [...seen, { step: 3, did: 'asked: Book it?', saw: 'no, too dear' }]
  const turn = await model.next({ goal: 'g', prompt: 2, notes }, never)
  expect(turn).toEqual({ kind: 'done', answer: 'Not booked: no, too dear' })
})

test('a model that is told to stop stops', async () => {
  const slow = new RehearsedModel(60_000)
  const stopping = new AbortController()
  const turn = slow.next({ goal: 'g', prompt: 2, notes: [] }, stopping.signal)
  stopping.abort(new Error('the attempt is over'))
  await expect(turn).rejects.toThrow()
})
