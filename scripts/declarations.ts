import { dirname, join } from 'node:path'
import ts from 'typescript'

/** The specifier of a node that names another module, if it does. */
function specifierOf(node: ts.Node): ts.StringLiteral | undefined {
  if (
    (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) &&
    node.moduleSpecifier &&
    ts.isStringLiteral(node.moduleSpecifier)
  ) {
    return node.moduleSpecifier
  }
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument) && ts.isStringLiteral(node.argument.literal))
    return node.argument.literal
  return undefined
}

/**
 * Lets the relative specifiers of an emitted declaration end as the built files do.
 *
 * The compiler leaves `./run.ts` in declarations, which only a consumer with the same setting may import.
 */
export function withBuiltSpecifiers(declaration: string, ending: '.js' | '.cjs'): string {
  return specifiersOf(declaration)
    .filter(({ text }) => isOurs(text))
    .toSorted((one, other) => other.getStart() - one.getStart())
    .reduce(
      (text, { text: specifier, end }) =>
        `${text.slice(0, end - 1 - specifier.length)}${specifier.replace(/\.ts$/, ending)}${text.slice(end - 1)}`,
      declaration,
    )
}

/**
 * Those of the emitted declarations that the entries reach, by path (`index.d.ts`): what only implementations import is no
 * part of a package's types.
 */
export function reachableDeclarations(
  emitted: ReadonlyMap<string, string>,
  entries: readonly string[],
): ReadonlyMap<string, string> {
  const reached = new Map<string, string>()
  const open = [...entries]
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    const text = emitted.get(path)
    if (text === undefined) throw new Error(`no declaration ${path} was emitted`)
    if (reached.has(path)) continue
    reached.set(path, text)
    const named = specifiersOf(text).filter((specifier) => isOurs(specifier.text))
    for (const { text: specifier } of named) open.push(join(dirname(path), specifier.replace(/\.ts$/, '.d.ts')))
  }
  return new Map([...reached].toSorted(([one], [other]) => (one < other ? -1 : 1)))
}

/** The packages that a declaration names: what a consumer must have installed to read it. */
export function packagesNamed(declaration: string): string[] {
  return specifiersOf(declaration)
    .map(({ text }) => text)
    .filter((specifier) => !specifier.startsWith('.'))
    .map((specifier) => (/^(@[^/]+\/)?[^/]+/.exec(specifier) ?? [specifier])[0])
}

const isOurs = (specifier: string): boolean => /^\.{1,2}\/.*\.ts$/.test(specifier)

function specifiersOf(declaration: string): ts.StringLiteral[] {
  const tree = ts.createSourceFile('declaration.d.ts', declaration, ts.ScriptTarget.Latest, true)
  const found: ts.StringLiteral[] = []
  const walk = (node: ts.Node): void => {
    const specifier = specifierOf(node)
    if (specifier) found.push(specifier)
    ts.forEachChild(node, walk)
  }
  walk(tree)
  return found
}
