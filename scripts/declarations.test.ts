import { expect, test } from 'vitest'
import { withBuiltSpecifiers } from './declarations.ts'

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
