import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')

function optionsOfHouse(): ts.CompilerOptions {
  const { config, error } = ts.readConfigFile(join(root, 'tsconfig.base.json'), ts.sys.readFile)
  if (error) throw new Error(ts.flattenDiagnosticMessageText(error.messageText, '\n'))
  return ts.parseJsonConfigFileContent(config, ts.sys, root).options
}

/** What the compiler says of a text, as if it stood in a file at `path`. */
function complaintsAbout(path: string, text: string): string[] {
  const options = optionsOfHouse()
  const host = ts.createCompilerHost(options, true)
  const { getSourceFile, fileExists, readFile } = host
  host.getSourceFile = (name, ...rest) =>
    name === path ? ts.createSourceFile(name, text, rest[0], true) : getSourceFile(name, ...rest)
  host.fileExists = (name) => name === path || fileExists(name)
  host.readFile = (name) => (name === path ? text : readFile(name))
  host.getCurrentDirectory = () => dirname(path)
  const program = ts.createProgram([path], options, host)
  const source = program.getSourceFile(path)
  return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)].map(
    ({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'),
  )
}

test('the first workflow of README.md compiles as it stands', () => {
  const [sample] = [...readFileSync(join(root, 'README.md'), 'utf8').matchAll(/^```ts\n([\s\S]*?)^```$/gm)].flatMap(
    (match) => match[1] ?? [],
  )
  if (sample === undefined) throw new Error('README.md has no TypeScript sample')
  const path = join(root, 'tests/readme-sample.ts')
  expect(complaintsAbout(path, sample)).toEqual([])
  expect(complaintsAbout(path, sample.replace("run.signal(named, 'Ada')", 'run.signal(named, 42)'))).not.toEqual([])
})

test('every sample of docs/determinism.md compiles as it stands', () => {
  const page = readFileSync(join(root, 'docs/determinism.md'), 'utf8')
  const samples = [...page.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].flatMap((match) => match[1] ?? [])
  expect(samples.length).toBeGreaterThan(1)
  for (const sample of samples) expect(complaintsAbout(join(root, 'tests/readme-sample.ts'), sample)).toEqual([])
})
