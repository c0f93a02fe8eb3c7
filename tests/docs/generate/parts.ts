// The generated parts of the documents, by page.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { limits } from '@durable-workflow/protocol'
import { describeSettings } from '../../../apps/server/src/serve.ts'
import { root } from '../pages.ts'
import { table, withPart } from './markdown.ts'
import { optionsTable } from './options.ts'
import { plannedReasons, reasonsTable } from './reasons.ts'
import { codesTable, commandsTables } from './release.ts'

const worker = 'packages/sdk/src/worker/options.ts'
const client = 'packages/sdk/src/client/client.ts'
const options = 'packages/sdk/src/authoring/options.ts'

/** What is written where: page → name of the part → its text. */
const parts: Readonly<Record<string, Readonly<Record<string, () => string>>>> = {
  'docs/errors.md': { reasons: reasonsTable, planned: plannedReasons },
  'docs/releasing.md': { commands: commandsTables, codes: codesTable },
  'docs/settings.md': {
    server: serverTable,
    connection: () => optionsTable('packages/sdk/src/transport/settings.ts', 'ConnectionSettings'),
    worker: () => optionsTable(worker, 'WorkerOptions'),
    pollers: () => optionsTable(worker, 'Pollers'),
    client: () => optionsTable(client, 'ClientOptions'),
    start: () => optionsTable(client, 'StartFacts'),
    list: () => optionsTable(client, 'ListOptions'),
    activity: () => optionsTable(options, 'ActivityOptions'),
    retry: () => optionsTable(options, 'RetryOptions'),
    limits: limitsTable,
  },
}

/** Every page that has generated parts, as it must be. */
export function generatedPages(): { readonly path: string; readonly text: string }[] {
  return Object.entries(parts).map(([path, ofPage]) => {
    const text = Object.entries(ofPage).reduce(
      (page, [name, write]) => withPart(page, name, write()),
      readFileSync(join(root, path), 'utf8'),
    )
    return { path, text }
  })
}

function serverTable(): string {
  const rows = describeSettings().map(({ name, argument, default: value, meaning }) => [
    `\`${name}\``,
    `\`${argument}\``,
    value === undefined ? '–' : `\`${value}\``,
    meaning,
  ])
  return table(['environment', 'argument', 'default', 'meaning'], rows)
}

function limitsTable(): string {
  return table(
    ['limit', 'value'],
    Object.entries(limits).map(([name, value]) => [`\`${name}\``, value.toLocaleString('en-GB')]),
  )
}
