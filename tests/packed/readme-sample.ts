// The first workflow of README.md, as a program of the folder where the packages are installed.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { root } from '../../scripts/published.ts'
import { blocksOf } from '../docs/blocks.ts'

/** As it stands, but for the server's address. */
export function readmeSample(server: string): string {
  const blocks = blocksOf('README.md', readFileSync(join(root, 'README.md'), 'utf8'))
  const sample = blocks.find(({ file }) => file === 'mine.ts')?.text
  if (sample === undefined) throw new Error('README.md has no block file=mine.ts, its first workflow')
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
