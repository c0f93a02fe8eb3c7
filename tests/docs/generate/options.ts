// Options as their docstrings state them: a table of an interface's members.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { root } from '../pages.ts'
import { table } from './markdown.ts'

/** Handed in by tests and by programs with a way to the server of their own; no setting. */
const inside: ReadonlySet<string> = new Set(['Transport', 'Clock', 'RetryPolicy', 'Chance'])

/**
 * The members of an interface: name, type, docstring.
 *
 * @throws Error for a member without a docstring: what is not said cannot be documented
 */
export function optionsTable(file: string, name: string): string {
  const path = join(root, file)
  const tree = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true)
  const found = tree.statements.find(
    (statement): statement is ts.InterfaceDeclaration =>
      ts.isInterfaceDeclaration(statement) && statement.name.text === name,
  )
  if (found === undefined) throw new Error(`${file} has no interface ${name}`)
  const rows = found.members.filter(ts.isPropertySignature).flatMap((member) => {
    const type = member.type?.getText(tree).replace(/ \| undefined$/, '') ?? ''
    if (inside.has(type)) return []
    const option = member.name.getText(tree)
    const says = ts
      .getJSDocCommentsAndTags(member)
      .map(({ comment }) => ts.getTextOfJSDocComment(comment) ?? '')
      .join(' ')
    if (says === '') throw new Error(`${file}: ${name}.${option} has no docstring`)
    return [[`\`${option}\``, `\`${type}\``, says]]
  })
  return table(['option', 'type', 'meaning'], rows)
}
