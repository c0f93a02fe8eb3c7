// The recordings of published SDKs lie beside the checkout, not in it. Where they are missing the suite says so.
import { existsSync, globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type BuiltOperationId, builtOperationIds, operations } from '@durable-workflow/protocol'

const folder = fileURLToPath(new URL('../../../../shared/foreign', import.meta.url))

export const haveRecordings = existsSync(folder)

export interface RecordedRequest {
  file: string
  method: string
  path: string
  query: Record<string, string>
  body: unknown
}

function recordOf(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null) throw new Error('A line of a recording is no object')
  return Object.fromEntries(Object.entries(value))
}

export function recordedRequests(): RecordedRequest[] {
  return globSync(`${folder}/*/recordings/**/*.jsonl`)
    .sort()
    .flatMap((file) =>
      readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => {
          const record = recordOf(JSON.parse(line))
          const url = new URL(String(record.path), 'http://127.0.0.1')
          return {
            file: file.slice(folder.length + 1),
            method: String(record.method),
            path: url.pathname,
            query: Object.fromEntries(url.searchParams),
            body: record.request ?? record.body ?? undefined,
          }
        }),
    )
}

const table = builtOperationIds.map((id) => ({
  id,
  method: operations[id].method,
  pattern: new RegExp(`^${operations[id].path.replaceAll(/\{[^}]+\}/g, '[^/]+')}$`),
}))

/** The built operation that a request addresses. */
export function operationOf(method: string, path: string): BuiltOperationId | undefined {
  return table.find((entry) => entry.method === method && entry.pattern.test(path))?.id
}
