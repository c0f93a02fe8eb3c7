import ts from 'typescript'
import { type Finding, isTest, isTypeScript, lineOf, type Rule, visit } from '../repository.ts'

const impure = new Set([
  'Date',
  'process',
  'console',
  'performance',
  'crypto',
  'fetch',
  'globalThis',
  'queueMicrotask',
  'setTimeout',
  'setInterval',
  'setImmediate',
])
const core = /^packages\/engine\/src\/core\//
const replay = /^packages\/sdk\/src\/replay\//
const mutators = new Set([
  'push',
  'pop',
  'shift',
  'unshift',
  'splice',
  'sort',
  'reverse',
  'fill',
  'set',
  'add',
  'delete',
  'clear',
])
const collections = new Set(['Map', 'Set', 'WeakMap', 'WeakSet', 'Array', 'ArrayBuffer', 'Uint8Array'])

/** Names that the file itself declares stand for its own things, not for the globals. */
function declaredIn(tree: ts.SourceFile): Set<string> {
  const names = new Set<string>()
  visit(tree, (node) => {
    const named =
      ts.isVariableDeclaration(node) ||
      ts.isParameter(node) ||
      ts.isFunctionDeclaration(node) ||
      ts.isBindingElement(node) ||
      ts.isImportSpecifier(node)
    if (named && node.name !== undefined && ts.isIdentifier(node.name)) names.add(node.name.text)
  })
  return names
}

/** True where the identifier is a member, a key or a label, and so cannot be the global of that name. */
function isOnlyAName(node: ts.Identifier): boolean {
  const { parent } = node
  if (ts.isPropertyAccessExpression(parent) || ts.isQualifiedName(parent))
    return node === ('name' in parent ? parent.name : parent.right)
  const member =
    ts.isPropertyAssignment(parent) ||
    ts.isPropertySignature(parent) ||
    ts.isPropertyDeclaration(parent) ||
    ts.isMethodDeclaration(parent) ||
    ts.isMethodSignature(parent)
  return member && parent.name === node
}

function impurityOf(node: ts.Node, own: ReadonlySet<string>): string | undefined {
  if (ts.isPropertyAccessExpression(node) && node.getText() === 'Math.random') return 'Math.random'
  if (!ts.isIdentifier(node) || !impure.has(node.text) || own.has(node.text) || isOnlyAName(node)) return undefined
  return node.text
}

/** Decisions and replay are functions of what they are given: no clock, no chance, no process, no console. */
export const pureRooms: Rule = (repository) =>
  repository.paths
    .filter((path) => (core.test(path) || replay.test(path)) && isTypeScript(path) && !isTest(path))
    .flatMap((path) => {
      const tree = repository.syntax(path)
      const own = declaredIn(tree)
      const findings: Finding[] = []
      const found = (node: ts.Node, says: string): void => {
        findings.push({ path, line: lineOf(tree, node.getStart()), says: `house §4: ${says}` })
      }
      visit(tree, (node) => {
        const name = impurityOf(node, own)
        if (name !== undefined) found(node, `${name} is the world; this room is a function of what it is given`)
        if (!core.test(path)) return
        if (node.kind === ts.SyntaxKind.AsyncKeyword) found(node, 'core is synchronous; no async')
        if (ts.isAwaitExpression(node) || (ts.isForOfStatement(node) && node.awaitModifier))
          found(node, 'core is synchronous; no await')
      })
      return findings
    })

function isMutable({ initializer, type }: ts.VariableDeclaration): boolean {
  if (initializer === undefined || type?.getText().startsWith('Readonly') || type?.getText().startsWith('readonly'))
    return false
  if (ts.isNewExpression(initializer))
    return ts.isIdentifier(initializer.expression) && collections.has(initializer.expression.text)
  if (ts.isArrayLiteralExpression(initializer)) return initializer.elements.length === 0
  return ts.isObjectLiteralExpression(initializer) && initializer.properties.length === 0
}

/** The expression that is changed, if the node changes one. */
function changedBy(node: ts.Node): ts.Expression | undefined {
  if (
    ts.isBinaryExpression(node) &&
    node.operatorToken.kind >= ts.SyntaxKind.FirstAssignment &&
    node.operatorToken.kind <= ts.SyntaxKind.LastAssignment
  ) {
    const { left } = node
    return ts.isPropertyAccessExpression(left) || ts.isElementAccessExpression(left) ? left.expression : undefined
  }
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return undefined
  return mutators.has(node.expression.name.text) ? node.expression.expression : undefined
}

/** What outlives a call is state, and state is handed in. */
export const noModuleState: Rule = (repository) =>
  repository.paths
    .filter((path) => (core.test(path) || replay.test(path)) && isTypeScript(path) && !isTest(path))
    .flatMap((path) => {
      const tree = repository.syntax(path)
      const constants = new Set<string>()
      const findings: Finding[] = []
      const found = (node: ts.Node, says: string): void => {
        findings.push({ path, line: lineOf(tree, node.getStart()), says: `house §4: ${says}; state is handed in` })
      }
      for (const statement of tree.statements) {
        if (!ts.isVariableStatement(statement)) continue
        const fixed = (statement.declarationList.flags & ts.NodeFlags.Const) !== 0
        for (const declaration of statement.declarationList.declarations) {
          if (ts.isIdentifier(declaration.name)) constants.add(declaration.name.text)
          if (!fixed) found(declaration, 'a module-level variable outlives the call')
          else if (isMutable(declaration))
            found(declaration, 'a module-level collection outlives the call (annotate a fixed table as Readonly…)')
        }
      }
      visit(tree, (node) => {
        const changed = changedBy(node)
        if (changed !== undefined && ts.isIdentifier(changed) && constants.has(changed.text))
          found(node, `changes the module-level ${changed.text}`)
        if (!ts.isPropertyDeclaration(node)) return
        const kinds = new Set(node.modifiers?.map(({ kind }) => kind))
        if (kinds.has(ts.SyntaxKind.StaticKeyword) && !kinds.has(ts.SyntaxKind.ReadonlyKeyword))
          found(node, 'a static property outlives the call')
      })
      return findings
    })
