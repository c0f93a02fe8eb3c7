// The `@example`s of docstrings, and the names that they speak of.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'

export interface DocstringExample {
  readonly path: string
  /** Line of the docstring, from 1. */
  readonly line: number
  readonly text: string
}

/** Every `@example` of the TypeScript files below a folder. */
export function docstringExamples(folder: string): DocstringExample[] {
  return globSync('**/*.ts', { cwd: folder }).flatMap((name) => {
    const path = join(folder, name)
    const tree = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true)
    const found = new Map<number, DocstringExample>()
    const see = (node: ts.Node): void => {
      for (const tag of ts.getJSDocTags(node)) {
        if (tag.tagName.text !== 'example') continue
        const text = ts.getTextOfJSDocComment(tag.comment) ?? ''
        found.set(tag.pos, { path, line: tree.getLineAndCharacterOfPosition(tag.pos).line + 1, text })
      }
      ts.forEachChild(node, see)
    }
    see(tree)
    return [...found.values()]
  })
}

/** What stands around an example: the order and the contracts that the documents speak of, `ctx` inside of a workflow. */
export const docstringGlobals = `
import * as sdk from '@durable-workflow/sdk'
import * as clients from '@durable-workflow/sdk/client'
import * as workers from '@durable-workflow/sdk/worker'
import { writeFile as write } from 'node:fs/promises'
import { z as zod } from 'zod'

const anOrder = zod.object({ id: zod.string(), cents: zod.int() })
const aReceipt = zod.object({ paymentId: zod.string() })
const isApproved = sdk.signal('approved', zod.object({ by: zod.string() }))
const asksStatus = sdk.query('status', { output: zod.string() })
const charges = sdk.activity('charge', { input: anOrder, output: aReceipt })
const packs = sdk.activity('pack', { input: anOrder })
const buys = sdk.workflow('checkout', { input: anOrder, output: aReceipt, handles: [isApproved, asksStatus] })

declare global {
  const z: typeof zod
  const activity: typeof sdk.activity
  const signal: typeof sdk.signal
  const query: typeof sdk.query
  const workflow: typeof sdk.workflow
  const type: typeof sdk.type
  const WorkflowFailure: typeof sdk.WorkflowFailure
  const createClient: typeof clients.createClient
  const createWorker: typeof workers.createWorker
  const Order: typeof anOrder
  const Receipt: typeof aReceipt
  const order: zod.infer<typeof anOrder>
  const approved: typeof isApproved
  const status: typeof asksStatus
  const charge: typeof charges
  const chargeImpl: typeof charges & sdk.ActivityImplementation
  const pack: typeof packs
  const checkout: typeof buys
  const checkoutImpl: typeof buys & sdk.WorkflowImplementation
  const run: clients.WorkflowHandle<typeof aReceipt, typeof isApproved | typeof asksStatus>
  const writeFile: typeof write
  const ctx: sdk.WorkflowContext<typeof isApproved | typeof asksStatus>
}
`
