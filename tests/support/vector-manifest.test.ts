// The manifest of published vectors is compared with the folder, and printed.
import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { haveVectors, type VectorFate, vectorAt, vectorManifest } from './vector-manifest.ts'

if (!haveVectors)
  process.stdout.write('SKIPPED: the published vectors are not beside the checkout (../shared/vectors)\n')

const roomOf = (path: string): string => path.slice(0, path.indexOf('/'))
const kindOf = (fate: VectorFate): string => fate.replace(/:.*$/, '')

/** One line a file, and the counts of each folder. */
function table(): string {
  const entries = Object.entries(vectorManifest)
  const width = Math.max(...entries.map(([path]) => path.length))
  const lines = entries.map(([path, fate]) => `${path.padEnd(width)}  ${fate}`)
  const counts = [...new Set(entries.map(([path]) => roomOf(path)))].map((room) => {
    const mine = entries.filter(([path]) => roomOf(path) === room).map(([, fate]) => kindOf(fate))
    const kinds = ['passing', 'refused', 'later', 'differs'].map(
      (kind) => `${mine.filter((one) => one === kind).length} ${kind}`,
    )
    return `${room}: ${mine.length} files, ${kinds.join(', ')}`
  })
  return [...lines, '', ...counts, ''].join('\n')
}

test.skipIf(!haveVectors)('the manifest names every published vector, and nothing else', () => {
  const files = readdirSync(vectorAt('.'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.parentPath}/${entry.name}`.slice(vectorAt('.').pathname.length).replace(/^\/+/, ''))
    .filter((path) => path.includes('/'))
  expect(Object.keys(vectorManifest).sort()).toEqual(files.sort())
  process.stdout.write(`${table()}\n`)
})

test('a file that is left out or done otherwise says why', () => {
  for (const [path, fate] of Object.entries(vectorManifest))
    expect(fate, path).toMatch(/^(passing|(refused|later|differs): \S.*[^.])$/)
})
