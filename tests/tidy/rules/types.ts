import ts from 'typescript'
import { commentsOf, type Finding, isGenerated, isTypeScript, lineOf, type Rule, visit } from '../repository.ts'

const isConst = (node: ts.AsExpression): boolean => ts.isTypeReferenceNode(node.type) && node.type.getText() === 'const'

function breachOf(node: ts.Node): string | undefined {
  if (node.kind === ts.SyntaxKind.AnyKeyword) return '`any` switches the compiler off; use unknown and narrow it'
  if (ts.isAsExpression(node) && !isConst(node))
    return `\`as ${node.type.getText()}\` claims what nobody checked; narrow or validate`
  if (ts.isTypeAssertionExpression(node)) return 'a type assertion claims what nobody checked; narrow or validate'
  if (ts.isNonNullExpression(node)) return '`!` claims what nobody checked; handle the absence'
  return undefined
}

/** Types are proved, not claimed; only rows.ts, where SQL rows become state, and generated code may cast. */
export const noClaimedType: Rule = (repository) =>
  repository.paths
    .filter((path) => isTypeScript(path) && !isGenerated(path) && !path.endsWith('/rows.ts'))
    .flatMap((path) => {
      const tree = repository.syntax(path)
      const findings: Finding[] = []
      visit(tree, (node) => {
        const says = breachOf(node)
        if (says !== undefined) findings.push({ path, line: lineOf(tree, node.getStart()), says: `house §7: ${says}` })
      })
      return findings
    })

const silencer = /@ts-(ignore|nocheck|expect-error)/
const isTypeTest = (path: string): boolean => /(^|\/)test\/types\//.test(path) || path.endsWith('.test-d.ts')

/** Nobody silences the compiler; type tests may expect its errors, which fail when they go away. */
export const noSilencedCompiler: Rule = (repository) =>
  repository.paths
    .filter((path) => isTypeScript(path) && !isGenerated(path) && repository.text(path).includes('@ts-'))
    .flatMap((path) =>
      commentsOf(repository.syntax(path)).flatMap(({ text, line }) => {
        const word = silencer.exec(text)?.[0]
        if (word === undefined || (word === '@ts-expect-error' && isTypeTest(path))) return []
        return [{ path, line, says: `house §7: ${word} hides an error; mend it` }]
      }),
    )

const leftover = /\b(TODO|FIXME|XXX)\b(?!\(#\d+\))/

/** What is left to do stands in an issue, and a comment may name it: TODO(#12). */
export const noBareTodo: Rule = (repository) =>
  repository.paths.flatMap((path) => {
    const says = 'house §7: a bare TODO is forgotten; do it, or name its issue: TODO(#12)'
    if (isTypeScript(path) && !isGenerated(path)) {
      if (!leftover.test(repository.text(path))) return []
      return commentsOf(repository.syntax(path)).flatMap(({ text, line }) =>
        leftover.test(text) ? [{ path, line, says }] : [],
      )
    }
    if (!/\.(ya?ml|sh|toml|py)$|^\.ci\//.test(path)) return []
    return repository
      .text(path)
      .split('\n')
      .flatMap((text, at) =>
        leftover.test(text.slice(Math.max(text.indexOf('#'), 0))) && text.includes('#')
          ? [{ path, line: at + 1, says }]
          : [],
      )
  })
