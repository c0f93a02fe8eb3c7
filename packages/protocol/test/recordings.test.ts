// What the published Python and Rust SDKs send passes our validators, unchanged.
import { expect, test } from 'vitest'
import { validatorsOf } from '../src/validators.ts'
import { haveRecordings, operationOf, recordedRequests } from './shared.ts'

if (!haveRecordings) process.stdout.write('recordings of published SDKs not checked: ../shared is missing\n')

test.skipIf(!haveRecordings).each(['1.19', '1.20'] as const)(
  'every recorded request of a built operation validates on the %s line',
  (line) => {
    const checked = new Map<string, number>()
    for (const { file, method, path, query, body } of recordedRequests()) {
      const id = operationOf(method, path)
      if (id === undefined) continue
      const { body: bodyShape, query: queryShape } = validatorsOf[line][id]
      if (bodyShape) {
        const result = bodyShape.safeParse(body)
        expect(result.error?.issues, `${file} ${id}`).toBeUndefined()
        expect(result.data, `${file} ${id}: the value changed`).toEqual(body)
      } else {
        expect(body, `${file} ${id}: a body where the document has none`).toBeUndefined()
      }
      if (queryShape) expect(queryShape.safeParse(query).error?.issues, `${file} ${id} query`).toBeUndefined()
      checked.set(id, (checked.get(id) ?? 0) + 1)
    }
    expect(checked.size).toBeGreaterThanOrEqual(20)
  },
)
