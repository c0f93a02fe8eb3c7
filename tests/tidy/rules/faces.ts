import { posix } from 'node:path'
import ts from 'typescript'
import { type Finding, isGenerated, lineOf, type Repository, type Rule } from '../repository.ts'

const isFace = (path: string): boolean => /^packages\/[^/]+\/src\/index\.ts$/.test(path)

/** A face lists its names, so that a reader sees all of it and nothing is opened by accident. */
export const namedExportsOnly: Rule = (repository) =>
  repository.paths.filter(isFace).flatMap((path) => {
    const tree = repository.syntax(path)
    return tree.statements.flatMap((statement): Finding[] => {
      const line = lineOf(tree, statement.getStart())
      if (ts.isExportAssignment(statement))
        return [{ path, line, says: 'house §2: a default export has no name of its own; name it' }]
      return ts.isExportDeclaration(statement) && statement.exportClause === undefined
        ? [{ path, line, says: 'house §2: `export *` opens what nobody chose; list the names' }]
        : []
    })
  })

const nameOf = (statement: ts.Statement, name: string): boolean => {
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.some((declaration) => declaration.name.getText() === name)
  const declares =
    ts.isFunctionDeclaration(statement) ||
    ts.isClassDeclaration(statement) ||
    ts.isInterfaceDeclaration(statement) ||
    ts.isTypeAliasDeclaration(statement)
  return declares && statement.name?.text === name
}

function isDocumented(statement: ts.Statement, tree: ts.SourceFile): boolean {
  return (ts.getLeadingCommentRanges(tree.text, statement.getFullStart()) ?? []).some(({ pos, end }) =>
    /^\/\*\*\s*\S/.test(tree.text.slice(pos, end).replace('*/', '')),
  )
}

/** Where a name leads: 'documented', 'bare', or 'elsewhere' (another package, generated code). */
function follow(repository: Repository, path: string, name: string): 'documented' | 'bare' | 'elsewhere' {
  if (isGenerated(path) || !repository.paths.includes(path)) return 'elsewhere'
  const tree = repository.syntax(path)
  const declared = tree.statements.filter((statement) => nameOf(statement, name))
  if (declared.length > 0) return declared.some((statement) => isDocumented(statement, tree)) ? 'documented' : 'bare'
  for (const statement of tree.statements) {
    const next = throughStatement(statement, name)
    if (next === undefined) continue
    if (!next.from.startsWith('.')) return 'elsewhere'
    const answer = follow(repository, posix.join(posix.dirname(path), next.from), next.name)
    if (answer !== 'elsewhere' || !next.everything) return answer
  }
  return 'elsewhere'
}

function throughStatement(
  statement: ts.Statement,
  name: string,
): { from: string; name: string; everything: boolean } | undefined {
  if (ts.isExportDeclaration(statement) && statement.moduleSpecifier && ts.isStringLiteral(statement.moduleSpecifier)) {
    const from = statement.moduleSpecifier.text
    if (statement.exportClause === undefined) return { from, name, everything: true }
    if (!ts.isNamedExports(statement.exportClause)) return undefined
    const element = statement.exportClause.elements.find((candidate) => candidate.name.text === name)
    return element && { from, name: (element.propertyName ?? element.name).text, everything: false }
  }
  if (!ts.isImportDeclaration(statement) || !ts.isStringLiteral(statement.moduleSpecifier)) return undefined
  const bindings = statement.importClause?.namedBindings
  if (bindings === undefined || !ts.isNamedImports(bindings)) return undefined
  const element = bindings.elements.find((candidate) => candidate.name.text === name)
  return (
    element && {
      from: statement.moduleSpecifier.text,
      name: (element.propertyName ?? element.name).text,
      everything: false,
    }
  )
}

function exportedNames(statement: ts.Statement): string[] {
  if (ts.isExportDeclaration(statement)) {
    return statement.exportClause && ts.isNamedExports(statement.exportClause)
      ? statement.exportClause.elements.map(({ name }) => name.text)
      : []
  }
  if (
    !ts.canHaveModifiers(statement) ||
    !ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)
  )
    return []
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.map((declaration) => declaration.name.getText())
  const named =
    ts.isFunctionDeclaration(statement) ||
    ts.isClassDeclaration(statement) ||
    ts.isInterfaceDeclaration(statement) ||
    ts.isTypeAliasDeclaration(statement)
  return named && statement.name ? [statement.name.text] : []
}

/** A name that others import says what it means, where it is declared. */
export const publicNamesAreDocumented: Rule = (repository) =>
  repository.paths
    .filter((path) => isFace(path) || /^packages\/sdk\/src\/(worker|client|replay)\.ts$/.test(path))
    .flatMap((path) => {
      const tree = repository.syntax(path)
      return tree.statements.flatMap((statement) =>
        exportedNames(statement)
          .filter((name) => follow(repository, path, name) === 'bare')
          .map((name) => ({
            path,
            line: lineOf(tree, statement.getStart()),
            says: `house §7: ${name} is public and has no docstring where it is declared`,
          })),
      )
    })
