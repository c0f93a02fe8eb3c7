import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { deadLinks } from './links.ts'
import { readPages, root } from './pages.ts'

test('every link between the documents leads to a file that is there, and to a heading that it has', () => {
  const others = ['ARCHITECTURE.md', 'CONTRIBUTING.md', 'spec/README.md', 'tests/foreign/README.md']
  const documents = [
    ...readPages(),
    ...others.map((path) => ({ path, markdown: readFileSync(join(root, path), 'utf8') })),
  ]
  expect(deadLinks(documents, (path) => existsSync(join(root, path)))).toEqual([])
})

test('a link to a missing file and a link to a missing heading are found, with page and line', () => {
  const pages = [
    {
      path: 'docs/a.md',
      markdown: '# A\n\n[b](b.md#two), [c](c.md), [d](b.md#three), [e](https://example.com), [f](#a)\n',
    },
    { path: 'docs/b.md', markdown: '# One\n\n```sh\n# Three\n```\n\n## Two\n' },
  ]
  expect(deadLinks(pages, (path) => pages.some((page) => page.path === path))).toEqual([
    'docs/a.md:3: c.md leads to docs/c.md, which does not exist',
    'docs/a.md:3: b.md#three leads to a heading that docs/b.md does not have',
  ])
})
