// Every TypeScript block of every page, and every example in the SDK's docstrings, compiles as it stands.
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { expect, test } from 'vitest'
import { complaintsOf } from './compiler.ts'
import { docstringExamples, docstringGlobals } from './docstrings.ts'
import { readPages, root } from './pages.ts'
import { openWorkshop, type SourceFile } from './workshop.ts'

test('every TypeScript block compiles under the strict options of the house; one that does not is named by page and line', async () => {
  await using workshop = await openWorkshop()
  const pages = readPages()
  const files: SourceFile[] = []
  for (const page of pages) files.push(...(await workshop.write(page)))
  const readme = pages.find(({ path }) => path === 'README.md')
  if (readme === undefined) throw new Error('there is no README.md')
  const right = "run.signal(named, 'Ada')"
  files.push(...(await workshop.write({ ...readme, path: 'wrong.md' }, { [right]: 'run.signal(named, 42)' })))
  const modules = files.filter(({ block }) => block.language === 'ts')
  expect(modules.length).toBeGreaterThan(20)
  const line = readme.markdown.split('\n').findIndex((text) => text.includes(right)) + 1
  expect(await inPages(modules, workshop.folder)).toEqual([
    expect.stringContaining(`README.md:${line}: Argument of type`),
  ])
})

test("every example in the SDK's docstrings compiles", async () => {
  await using workshop = await openWorkshop()
  const rooms = ['authoring', 'client', 'worker'] // what an application imports; the others are the SDK's own
  const examples = rooms.flatMap((room) => docstringExamples(join(root, 'packages/sdk/src', room)))
  expect(examples.length).toBeGreaterThan(8)
  const globals = join(workshop.folder, 'globals.ts')
  await writeFile(globals, docstringGlobals)
  const places = new Map<string, string>()
  for (const [at, { path, line, text }] of examples.entries()) {
    const file = join(workshop.folder, `${relative(root, path)}-${at}.ts`)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, `${text}\nexport {}\n`)
    places.set(file, `${relative(root, path)}:${line}`)
  }
  const complaints = complaintsOf([globals, ...places.keys()], workshop.folder)
  expect(complaints.map(({ path, says }) => `${places.get(path) ?? path}: ${says}`)).toEqual([])
})

async function inPages(files: readonly SourceFile[], folder: string): Promise<string[]> {
  const byPath = new Map(files.map((file) => [file.path, file]))
  return complaintsOf(
    files.map(({ path }) => path),
    folder,
  ).map(({ path, line, says }) => {
    const file = byPath.get(path)
    if (file === undefined) return `${path}:${line}: ${says}`
    return `${file.block.page}:${file.block.line + line - 1 - file.setupLines}: ${says}`
  })
}
