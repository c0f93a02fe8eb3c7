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
  const tree = ts.createSourceFile('declaration.d.ts', declaration, ts.ScriptTarget.Latest, true)
  const found: ts.StringLiteral[] = []
  const walk = (node: ts.Node): void => {
    const specifier = specifierOf(node)
    if (specifier && /^\.{1,2}\/.*\.ts$/.test(specifier.text)) found.push(specifier)
    ts.forEachChild(node, walk)
  }
  walk(tree)
  return found
    .toSorted((one, other) => other.getStart() - one.getStart())
    .reduce(
      (text, { text: specifier, end }) =>
        `${text.slice(0, end - 1 - specifier.length)}${specifier.replace(/\.ts$/, ending)}${text.slice(end - 1)}`,
      declaration,
    )
}
