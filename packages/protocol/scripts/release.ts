// `pnpm spec:release`: keeps the built parts of the working documents in spec/released/. Exit 0: released, or nothing new;
// 10: a document is broken or takes back what is released, and nothing was written.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { canonical } from './canonical.ts'
import type { Json } from './documents.ts'
import { type Problem, render } from './evolution/problem.ts'
import { digestOf, fileOf, indexName, releasable } from './evolution/released.ts'
import { specFolder } from './generate.ts'
import { checkSpec } from './spec-check.ts'

/** Sorted keys, two spaces: the same content gives the same bytes, and a difference can be read. */
const textOf = (value: Json): string => `${JSON.stringify(JSON.parse(canonical(value)), null, 2)}\n`

/** Releases what is new under `folder`; writes nothing where a check fails. */
export async function release(folder: string): Promise<{ written: string[]; problems: Problem[] }> {
  const { problems, working, releases } = await checkSpec(folder)
  if (problems.length > 0) return { written: [], problems }
  const index: Record<string, string[]> = Object.fromEntries(
    Object.entries(releases.index).map(([document, digests]) => [document, [...digests]]),
  )
  const written: string[] = []
  for (const [document, content] of Object.entries(working)) {
    const built = releasable(content)
    const digest = digestOf(built)
    const digests = index[document] ?? []
    if (digests.at(-1) === digest) continue
    index[document] = [...digests, digest]
    const name = fileOf(document, digest)
    await writeFile(join(folder, 'released', name), textOf(built))
    written.push(name)
  }
  if (written.length > 0) await writeFile(join(folder, 'released', indexName), textOf(index))
  return { written, problems: [] }
}

if (import.meta.main) {
  const { written, problems } = await release(specFolder)
  for (const found of problems) process.stderr.write(`${render(found)}\n`)
  if (problems.length > 0) process.stderr.write(`${problems.length} problems; nothing is released.\n`)
  else if (written.length === 0) process.stdout.write('Nothing new.\n')
  else for (const name of written) process.stdout.write(`spec/released/${name}\n`)
  process.exitCode = problems.length === 0 ? 0 : 10
}
