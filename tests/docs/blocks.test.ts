import { expect, test } from 'vitest'
import { blocksOf, slugOf } from './blocks.ts'

const fenced = (info: string, text = 'x') => ['# A page', '', `\`\`\`${info}`, text, '```', ''].join('\n')

test('a block knows its place, its heading and the file that it is', () => {
  const [block] = blocksOf('docs/a.md', fenced('ts run', 'const a = 1\nconst b = 2'))
  expect(block).toMatchObject({
    page: 'docs/a.md',
    line: 4,
    heading: 'A page',
    language: 'ts',
    file: 'a-page.ts',
    text: 'const a = 1\nconst b = 2\n',
  })
  expect(block?.marks).toEqual(new Set(['run']))
})

test('a file may be named; the second block of a heading has a name of its own', () => {
  const twice = fenced('ts') + fenced('ts').replace('# A page', '')
  expect(blocksOf('a.md', twice).map(({ file }) => file)).toEqual(['a-page.ts', 'a-page-2.ts'])
  expect(blocksOf('a.md', fenced('ts file=contracts.ts'))[0]?.file).toBe('contracts.ts')
})

test('a block in a list and a block in a comment are blocks', () => {
  const page = '- first\n\n  ```sh run\n  echo 1\n  ```\n\n<!--\n```ts\nconst a = 1\n```\n-->\n'
  expect(blocksOf('a.md', page).map(({ text }) => text)).toEqual(['echo 1\n', 'const a = 1\n'])
})

test.for([
  ['a language that nobody checks', fenced('nginx'), 'a.md:3: nobody checks a block of "nginx"'],
  ['no language', fenced(''), 'nobody checks a block of ""'],
  ['a mark that nobody knows', fenced('ts ran'), 'a block of ts knows no mark "ran"'],
  ['a text that is nobody’s output', fenced('text'), 'whose output is this?'],
  ['a sketch without a reason', fenced('nginx sketch:'), 'nobody checks a block of "nginx"'],
  ['a block that never closes', '```ts\nconst a = 1\n', 'a.md:1: this block is never closed'],
] as const)('%s is refused', ([, page, says]) => {
  expect(() => blocksOf('a.md', page)).toThrow(says)
})

test('a sketch is neither checked nor run, and says why', () => {
  expect(blocksOf('a.md', fenced('nginx sketch: needs a balancer'))[0]).toMatchObject({ sketch: 'needs a balancer' })
})

test('headings have the anchors of the rendered page', () => {
  expect(slugOf('What is `recorded`, and what is not?')).toBe('what-is-recorded-and-what-is-not')
})
