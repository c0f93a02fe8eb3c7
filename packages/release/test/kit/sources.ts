// The sources of this package and of its tests as syntax trees: where guards are called, which numbers tests show.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'

const root = join(import.meta.dirname, '../../../..')

function treesOf(folder: string, pattern: string): readonly { path: string; tree: ts.SourceFile }[] {
  return globSync(pattern, { cwd: folder })
    .toSorted()
    .map((path) => ({
      path,
      tree: ts.createSourceFile(path, readFileSync(join(folder, path), 'utf8'), ts.ScriptTarget.Latest, true),
    }))
}

function* nodesOf(node: ts.Node): Generator<ts.Node> {
  yield node
  for (const child of node.getChildren()) yield* nodesOf(child)
}

const names = (node: ts.Expression, name: string): boolean => ts.isIdentifier(node) && node.text === name

/** Places in `src/` that call the guard: `archive/tar.ts:31`. @throws Error when two stand in one line */
export function guardSites(): readonly string[] {
  const sites = placesOf((node) => ts.isCallExpression(node) && names(node.expression, 'refuseUnless'))
  const twice = sites.find((site, at) => sites.indexOf(site) !== at)
  if (twice !== undefined) throw new Error(`${twice} calls the guard twice in one line`)
  return sites
}

/** Places in `src/` that make a refusal without the guard. One that is passed on under its own code, with more facts, is none. */
export const refusalsBesideTheGuard = (): readonly string[] =>
  placesOf((node) => ts.isNewExpression(node) && names(node.expression, 'Refused') && !passesOn(node)).filter(
    (site) => !site.startsWith('guard.ts:'),
  )

function passesOn({ arguments: [code] = ts.factory.createNodeArray<ts.Expression>() }: ts.NewExpression): boolean {
  return code !== undefined && ts.isPropertyAccessExpression(code) && code.name.text === 'code'
}

function placesOf(isMeant: (node: ts.Node) => boolean): readonly string[] {
  return treesOf(join(root, 'packages/release/src'), '**/*.ts').flatMap(({ path, tree }) =>
    [...nodesOf(tree)]
      .filter(isMeant)
      .map((node) => `${path}:${tree.getLineAndCharacterOfPosition(node.getStart()).line + 1}`),
  )
}

/** Names of tests that begin with numbers of requirements: `P-88 a full green run`. Templates are cut at their first value. */
export function numberedTests(): readonly { readonly file: string; readonly name: string }[] {
  const pattern = '{packages/release/test/**,tests/release/**,tests/packed,scripts/**}/*.test.ts'
  return treesOf(root, pattern).flatMap(({ path: file, tree }) =>
    [...nodesOf(tree)]
      .filter((node) => ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node) || ts.isTemplateHead(node))
      .map(({ text }) => text)
      .filter((text) => /^P-\d\d/.test(text))
      .map((name) => ({ file, name })),
  )
}

/** `P-55 P-56 a name` → both numbers. */
export const numbersOf = (name: string): readonly string[] => /^(P-\d\d[ ,]*)+/.exec(name)?.[0].match(/P-\d\d/g) ?? []
