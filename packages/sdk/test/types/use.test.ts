// The page of uses that the design was made with compiles against this SDK, its own file, word for word: what must compile does,
// and every mistake on it is one.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import ts from 'typescript'
import { describe, expect, it, test } from 'vitest'
import * as sdk from '../../src/index.ts'

const page = new URL('../../../../../shared/sdk-api-types/use.ts', import.meta.url)
const isPresent = existsSync(page)
if (!isPresent) console.warn('SKIPPED: the design is not beside the repository (../shared/sdk-api-types/use.ts)')

/** What the page says of names that come later, and what stands there until then. Each stands on the page exactly once. */
const later: readonly (readonly [string, string])[] = [
  ['signal, update, workflow,', 'signal, workflow,'],
  ["export const reroute = update('reroute', { input: z.string(), output: z.boolean(), validated: true })", ''],
  ['handles: [approved, status, reroute]', 'handles: [approved, status]'],
  [
    "ctx.handle(reroute, { validate: (to) => to.length > 0 || 'empty', run: (to) => { shipTo = to; return true } })",
    "shipTo = ''",
  ],
  ["const b: boolean = await run.update(reroute, 'x'); ", ''],
  ['s; b; chargeImpl', 's; chargeImpl'],
]

/** Stands for the page's own `./sdk.ts`. */
const shim = `
import type { Client } from '../../../src/client.ts'
export { activity, query, signal, type, workflow } from '../../../src/index.ts'
export declare const client: Client
`

const folder = join(import.meta.dirname, 'page')
const root = join(import.meta.dirname, '../../../..')

/** What the compiler says of a text as the page; what all texts import is read once. */
function createCompiler(): (text: string) => string[] {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.base.json'), ts.sys.readFile)
  // The page shows values by naming them.
  const options = { ...ts.parseJsonConfigFileContent(config, ts.sys, root).options, noUnusedLocals: false }
  const host = ts.createCompilerHost(options, true)
  const { getSourceFile, fileExists, readFile, directoryExists } = host
  const files = new Map([[join(folder, 'sdk.ts'), shim]])
  const parsed = new Map<string, ts.SourceFile | undefined>()
  host.getSourceFile = (name, ...rest) => {
    const found = files.get(name)
    if (found !== undefined) return ts.createSourceFile(name, found, rest[0], true)
    if (!parsed.has(name)) parsed.set(name, getSourceFile(name, ...rest))
    return parsed.get(name)
  }
  host.fileExists = (name) => files.has(name) || fileExists(name)
  host.directoryExists = (name) => name === folder || directoryExists?.(name) === true
  host.readFile = (name) => files.get(name) ?? readFile(name)
  host.getCurrentDirectory = () => dirname(folder)
  return (text) => {
    files.set(join(folder, 'use.ts'), text)
    const program = ts.createProgram([join(folder, 'use.ts')], options, host)
    const source = program.getSourceFile(join(folder, 'use.ts'))
    return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)].map((each) => {
      const { line } = source?.getLineAndCharacterOfPosition(each.start ?? 0) ?? { line: -1 }
      return `${text.split('\n')[line]}: ${ts.flattenDiagnosticMessageText(each.messageText, '\n')}`
    })
  }
}

// The compiler reads the whole SDK and its libraries once: seconds, on a busy machine many.
describe.skipIf(!isPresent)('the page of uses', { timeout: 60_000 }, () => {
  const original = isPresent ? readFileSync(page, 'utf8') : ''
  const complaintsAbout = createCompiler()
  const today = later.reduce((text, [of, instead]) => text.replace(of, instead), original)

  it('has each thing that is listed as later once, and this SDK has none of them yet', () => {
    for (const [of] of later) expect([of, original.split(of).length - 1]).toEqual([of, 1])
    expect(Object.keys(sdk)).not.toContain('update')
  })

  it('compiles, and every mistake on it is one', () => {
    expect(complaintsAbout(today)).toEqual([])
  })

  test.each([
    ['a mistake that is none', '{ by: 1 }', "{ by: 'ada' }"],
    ['a use that is wrong', "{ startToCloseTimeout: '5 minutes' }", "{ startToCloseTimeout: '5 parsecs' }"],
  ])('%s is told', (_name, of, instead) => {
    expect(today).toContain(of)
    expect(complaintsAbout(today.replace(of, instead))).not.toEqual([])
  })
})
