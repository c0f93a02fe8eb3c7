import { expect, test } from 'vitest'
import { listText, objectText, spliceMembers } from '../src/json-text.ts'
import { controlEventText, workerEventText } from '../src/routes/history-text.ts'

const event = {
  eventId: 'e-1',
  runId: 'r-1',
  sequence: 3,
  type: 'Attributes"Upserted',
  payload: '{"sequence":1,"attributes":{"price":1.0,"big":12345678901234567890}}',
  workflowTaskId: undefined,
  commandId: 'c-1',
  recordedAt: 0,
}

test('a stored payload goes out as the text that it is: a number keeps the form in which it came', () => {
  for (const text of [workerEventText(event, 'default'), controlEventText(event)]) expect(text).toContain(event.payload)
})

test('an event is JSON, with what it has and without what it has not', () => {
  expect(JSON.parse(workerEventText(event, 'default'))).toEqual({
    id: 'e-1',
    sequence: 3,
    event_type: 'Attributes"Upserted',
    namespace: 'default',
    payload: JSON.parse(event.payload),
    workflow_command_id: 'c-1',
    recorded_at: '1970-01-01T00:00:00.000000Z',
  })
  expect(JSON.parse(controlEventText(event))).toEqual({
    sequence: 3,
    event_type: 'Attributes"Upserted',
    timestamp: '1970-01-01T00:00:00.000000Z',
    payload: JSON.parse(event.payload),
  })
})

test.each([
  [{}, {}, '{}'],
  [{ a: 1 }, {}, '{"a":1}'],
  [{}, { b: '[1.0]' }, '{"b":[1.0]}'],
  [{ a: undefined, c: null }, { b: '2' }, '{"c":null,"b":2}'],
])('the members %j and the texts %j are %s', (members, texts, text) => {
  expect(objectText(members, texts)).toBe(text)
})

test('members are appended to an object, empty or not, and texts to a list', () => {
  expect(spliceMembers('{}', '"a":1')).toBe('{"a":1}')
  expect(spliceMembers('{"b":2}', '"a":1')).toBe('{"b":2,"a":1}')
  expect(listText(['1', '{}'])).toBe('[1,{}]')
  expect(listText([])).toBe('[]')
})
