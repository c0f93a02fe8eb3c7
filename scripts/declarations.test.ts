import { expect, test } from 'vitest'
import { packagesNamed, reachableDeclarations, withBuiltSpecifiers } from './declarations.ts'

test.each(['.js', '.cjs'] as const)('relative specifiers end in %s, all others stay', (ending) => {
  const text = [
    "import type { B } from './b.ts';",
    "export type * as c from '../c/index.ts';",
    "export declare const d: import('./d.ts').D<'./e.ts'>;",
    "import { z } from 'zod';",
  ].join('\n')
  expect(withBuiltSpecifiers(text, ending).split('\n')).toEqual([
    `import type { B } from './b${ending}';`,
    `export type * as c from '../c/index${ending}';`,
    `export declare const d: import('./d${ending}').D<'./e.ts'>;`,
    "import { z } from 'zod';",
  ])
})

const emitted = new Map([
  ['index.d.ts', "export type { A } from './room/a.ts';"],
  ['room/a.d.ts', "import type { B } from '../b.ts';\nexport type A = B | import('../c.ts').C;"],
  ['b.d.ts', "export type { A } from './room/a.ts';\nexport type B = import('zod').ZodType;"],
  ['c.d.ts', 'export type C = 1;'],
  ['inside.d.ts', 'export type D = 1;'],
])

test('of the declarations those are kept that an entry reaches, through circles and import types', () => {
  const reached = reachableDeclarations(emitted, ['index.d.ts'])
  expect([...reached.keys()]).toEqual(['b.d.ts', 'c.d.ts', 'index.d.ts', 'room/a.d.ts'])
})

test('a declaration that is named and was not emitted is an error', () => {
  const broken = new Map([['index.d.ts', "export * from './gone.ts';"]])
  expect(() => reachableDeclarations(broken, ['index.d.ts'])).toThrow('no declaration gone.d.ts was emitted')
})

test('the packages that a declaration names are told without their entries', () => {
  const text =
    "import type { A } from '@x/a/client';\nexport type B = A | import('node:http').Server | import('./c.ts').C;"
  expect(packagesNamed(text)).toEqual(['@x/a', 'node:http'])
})
