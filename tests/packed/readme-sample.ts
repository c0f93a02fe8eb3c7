// The first workflow of README.md, as a program of the folder where the packages are installed.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { root } from '../../scripts/published.ts'

/** As it stands, but for the server's address. */
export function readmeSample(server: string): string {
  const [sample] = [...readFileSync(join(root, 'README.md'), 'utf8').matchAll(/^```ts\n([\s\S]*?)^```$/gm)].flatMap(
    (match) => match[1] ?? [],
  )
  if (sample === undefined) throw new Error('README.md has no TypeScript sample')
  return sample.replaceAll('http://127.0.0.1:7400', server)
}

/** Without its types. */
export function asModule(sample: string): string {
  const { ESNext } = ts.ModuleKind
  return ts.transpileModule(sample, { compilerOptions: { module: ESNext, target: ts.ScriptTarget.ESNext } }).outputText
}

/** As people write it in CommonJS: imports are calls of `require`, and what awaits stands in a function. */
export function asCommonJs(sample: string): string {
  const imports = /^import (\{[^}]+\}) from ('[^']+');?$/gm
  const module = asModule(sample)
  const required = [...module.matchAll(imports)].map(([, names, from]) => `const ${names} = require(${from});`)
  return [...required, '(async () => {', module.replace(imports, ''), '})()'].join('\n')
}
