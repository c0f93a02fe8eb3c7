// `pnpm spec:check`: the documents alone. Exit 0: fine; 10: a document is broken or takes back what is released.
import { join } from 'node:path'
import { canonical, sha256 } from './canonical.ts'
import { type Documents, readDocuments } from './documents.ts'
import { aheadOfReleases } from './evolution/ahead.ts'
import { type Problem, render } from './evolution/problem.ts'
import { checkAgainstReleased, type Releases, type Working } from './evolution/released.ts'
import { bundlesOf, specFolder } from './generate.ts'
import { lint } from './lint.ts'
import { operationsOf } from './operations.ts'
import {
  advertisedCapabilities,
  checkAdditionsOfOurs,
  checkCatalogues,
  checkOperations,
  checkReasons,
  checkReferences,
} from './references.ts'

export function workingDocuments(documents: Documents): Working {
  const { worker119, worker120, control } = bundlesOf(documents)
  return {
    'worker-1.19': worker119,
    'worker-1.20': worker120,
    'control-2': control,
    'reasons-1': documents.reasons,
    'limits-1': documents.limits,
  }
}

export interface SpecReport {
  problems: Problem[]
  /** How many releases the working documents were compared with. */
  compared: number
  working: Working
  releases: Releases
}

/** Everything that `spec:check` finds in one spec folder. */
export async function checkSpec(folder: string): Promise<SpecReport> {
  const documents = await readDocuments(folder)
  const working = workingDocuments(documents)
  const openapi = Object.entries(working).filter(([, document]) => document.openapi !== undefined)
  const operations = openapi
    .filter(([name]) => name !== 'worker-1.19')
    .flatMap(([, document]) => operationsOf(document))
  const linted = await Promise.all(openapi.map(([name, document]) => lint(name, document)))
  const released = await checkAgainstReleased(join(folder, 'released'), working)
  const problems = [
    ...openapi.flatMap(([name, document]) => checkReferences(name, document)),
    ...openapi.flatMap(([name, document]) => checkAdditionsOfOurs(name, document, advertisedCapabilities(documents))),
    ...checkOperations(operations),
    ...checkReasons(documents, operations),
    ...checkCatalogues(documents),
    ...linted.flat(),
    ...released.problems,
  ]
  return { problems, compared: released.compared, working, releases: released.releases }
}

if (import.meta.main) {
  const { problems, compared, working, releases } = await checkSpec(specFolder)
  for (const found of problems) process.stderr.write(`${render(found)}\n`)
  for (const [name, document] of Object.entries(working))
    process.stdout.write(`${name}  ${sha256(canonical(document))}\n`)
  for (const line of aheadOfReleases(releases, working)) process.stdout.write(`${line}\n`)
  process.stdout.write(`${problems.length} problems, compared with ${compared} released documents\n`)
  process.exitCode = problems.length === 0 ? 0 : 10
}
