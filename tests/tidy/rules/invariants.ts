import ts from 'typescript'
import { headerOf, isGenerated, isTest, isTypeScript, type Repository, type Rule, visit } from '../repository.ts'

/** `UW1`, `RP2`: invariants of one file. `L-07`, `C-40`: requirements. */
const invariant = /\b[A-Z]{2}\d{1,2}\b|\b[A-Z]{1,2}-\d{2,3}\b/g

const idsIn = (text: string): string[] => [...new Set(text.match(invariant) ?? [])]

function idsInTests(repository: Repository): Set<string> {
  const ids = new Set<string>()
  for (const path of repository.paths) {
    if (!isTypeScript(path) || !isTest(path) || path.startsWith('tests/tidy/')) continue
    visit(repository.syntax(path), (node) => {
      if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node)) for (const id of idsIn(node.text)) ids.add(id)
    })
  }
  return ids
}

function idsInHeaders(repository: Repository): { path: string; id: string }[] {
  return repository.paths
    .filter(
      (path) =>
        /^(packages|apps)\/[^/]+\/src\//.test(path) && isTypeScript(path) && !isTest(path) && !isGenerated(path),
    )
    .flatMap((path) => idsIn(headerOf(repository.text(path))).map((id) => ({ path, id })))
}

/** A header promises; a test that names the promise keeps it. */
export const invariantsAreTested: Rule = (repository) => {
  const tested = idsInTests(repository)
  return idsInHeaders(repository)
    .filter(({ id }) => !tested.has(id))
    .map(({ path, id }) => ({ path, says: `house §7: the header promises ${id}, and no test names it` }))
}

/** The map speaks only of invariants that exist. */
export const mapNamesRealInvariants: Rule = (repository) => {
  const path = 'ARCHITECTURE.md'
  if (!repository.paths.includes(path)) return []
  const known = new Set([...idsInTests(repository), ...idsInHeaders(repository).map(({ id }) => id)])
  return repository
    .text(path)
    .split('\n')
    .flatMap((line, at) =>
      idsIn(line)
        .filter((id) => !known.has(id))
        .map((id) => ({ path, line: at + 1, says: `house §6: ${id} stands in no header and no test` })),
    )
}
