import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readDocuments } from '../scripts/documents.ts'
import { generatedFiles, generatedFolder, specFolder } from '../scripts/generate.ts'

async function committedFiles(): Promise<Record<string, string>> {
  const entries = await readdir(generatedFolder, { recursive: true, withFileTypes: true })
  const names = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const texts = await Promise.all(
    names.map(async (name) => [name.slice(generatedFolder.length + 1), await readFile(name, 'utf8')]),
  )
  return Object.fromEntries(texts)
}

test('the committed code is what the documents generate (stale: run `pnpm generate`)', async () => {
  const fresh = await generatedFiles(await readDocuments(specFolder))
  const committed = await committedFiles()
  expect(Object.keys(committed).sort()).toEqual(Object.keys(fresh).sort())
  for (const [name, text] of Object.entries(fresh)) expect(committed[name] === text, name).toBe(true)
})

test('generating twice gives the same bytes', async () => {
  const documents = await readDocuments(specFolder)
  expect(await generatedFiles(documents)).toEqual(await generatedFiles(structuredClone(documents)))
})
