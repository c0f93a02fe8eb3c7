import ts from 'typescript'
import { parse } from 'yaml'
import {
  type Finding,
  isGenerated,
  isTest,
  isTypeScript,
  lineOf,
  type Repository,
  type Rule,
  visit,
} from '../repository.ts'

const engine = 'packages/engine/src/'
const isCode = (path: string): boolean => isTypeScript(path) && !isTest(path) && !isGenerated(path)

interface Schema {
  name: string
  path: string
  planned: boolean
  appendedBy?: string
}

function schemasIn(repository: Repository, folder: string): Schema[] {
  return repository.paths
    .filter((path) => path.startsWith(folder) && path.endsWith('.json'))
    .map((path) => {
      const schema: unknown = JSON.parse(repository.text(path))
      const has =
        typeof schema === 'object' && schema !== null
          ? new Map<string, unknown>(Object.entries(schema))
          : new Map<string, unknown>()
      const appendedBy = has.get('x-appended-by')
      return {
        name: path.slice(folder.length, -'.json'.length),
        path,
        planned: has.get('x-stage') === 'planned',
        ...(typeof appendedBy === 'string' && { appendedBy }),
      }
    })
}

interface Append {
  event: string
  path: string
  line: number
  /** The outermost function around the call: where the event is written. */
  author: string
}

const calleeName = (call: ts.CallExpression): string =>
  ts.isPropertyAccessExpression(call.expression) ? call.expression.name.text : call.expression.getText()

function authorAround(node: ts.Node): string {
  let author = 'the module'
  for (let at = node; !ts.isSourceFile(at); at = at.parent) {
    if (ts.isFunctionDeclaration(at) || ts.isMethodDeclaration(at) || ts.isVariableDeclaration(at))
      author = at.name?.getText() ?? author
  }
  return author
}

/** The event type that a call appends: its own literal argument, or the `type` of an object it is given. */
function eventOf(call: ts.CallExpression, events: ReadonlySet<string>): string | undefined {
  for (const argument of call.arguments) {
    if (ts.isStringLiteral(argument) && events.has(argument.text)) return argument.text
    if (!ts.isObjectLiteralExpression(argument)) continue
    for (const property of argument.properties) {
      if (!ts.isPropertyAssignment(property) || !['type', 'eventType'].includes(property.name.getText())) continue
      if (ts.isStringLiteral(property.initializer) && events.has(property.initializer.text))
        return property.initializer.text
    }
  }
  return undefined
}

function appendsIn(repository: Repository, events: ReadonlySet<string>): Append[] {
  return repository.paths
    .filter((path) => path.startsWith(engine) && isCode(path))
    .flatMap((path) => {
      const tree = repository.syntax(path)
      const appends: Append[] = []
      visit(tree, (node) => {
        if (!ts.isCallExpression(node) || !/^append/.test(calleeName(node))) return
        const event = eventOf(node, events)
        if (event !== undefined)
          appends.push({ event, path, line: lineOf(tree, node.getStart()), author: authorAround(node) })
      })
      return appends
    })
}

/** One event type is appended in exactly one function, in the file that its schema names. */
export const oneAuthorPerEvent: Rule = (repository) => {
  const schemas = schemasIn(repository, 'spec/schemas/events/')
  const appends = appendsIn(repository, new Set(schemas.map(({ name }) => name)))
  return schemas.flatMap((schema): Finding[] => {
    const { name, path, planned, appendedBy } = schema
    const mine = appends.filter(({ event }) => event === name)
    const [first] = mine
    if (planned)
      return first === undefined
        ? []
        : [{ path, says: `house §7: ${first.path} appends ${name}; its x-stage: planned is no longer needed` }]
    if (appendedBy === undefined) return [{ path, says: `house §5: ${name} has no x-appended-by; name its one author` }]
    if (first === undefined)
      return [
        {
          path,
          says: `house §7: nobody appends ${name}; ${engine}${appendedBy}.ts should, or mark it x-stage: planned`,
        },
      ]
    const authors = new Set(mine.map((append) => `${append.path} ${append.author}`))
    if (authors.size > 1)
      return mine.map(({ path, line }) => ({
        path,
        line,
        says: `house §5: ${name} has ${authors.size} authors (${[...authors].join(', ')}); what two operations append is a rule`,
      }))
    if (first.path !== `${engine}${appendedBy}.ts`)
      return [
        { path: first.path, line: first.line, says: `house §5: appends ${name}, whose schema names ${appendedBy}` },
      ]
    return []
  })
}

const kebab = (name: string): string => name.replaceAll('_', '-')

/** A worker command has one schema and one file, both or neither. */
export const commandsHaveFiles: Rule = (repository) => {
  const folder = `${engine}core/commands/`
  const schemas = schemasIn(repository, 'spec/schemas/commands/')
  const files = repository.paths.filter((path) => path.startsWith(folder) && isCode(path))
  const words = new Map(schemas.map((schema) => [`${folder}${kebab(schema.name)}.ts`, schema]))
  const missing = schemas.flatMap(({ name, path, planned }): Finding[] => {
    const file = `${folder}${kebab(name)}.ts`
    if (planned)
      return files.includes(file)
        ? [{ path, says: `house §7: ${file} exists; its x-stage: planned is no longer needed` }]
        : []
    return files.includes(file) ? [] : [{ path, says: `house §7: ${name} has no ${file}` }]
  })
  const tables = new Set(['command', 'index'].map((name) => `${folder}${name}.ts`))
  const stray = files
    .filter((path) => !words.has(path) && !tables.has(path) && /defineCommand|: Command\b/.test(repository.text(path)))
    .map((path) => ({ path, says: 'house §7: a command without its schema in spec/schemas/commands' }))
  return [...missing, ...stray]
}

function reasonsIn(text: string): { name: string; planned: boolean }[] {
  const document: unknown = parse(text)
  if (typeof document !== 'object' || document === null) return []
  const table =
    'reasons' in document && typeof document.reasons === 'object' && document.reasons !== null
      ? document.reasons
      : document
  return Object.entries(table).map(([name, entry]: [string, unknown]) => ({
    name,
    planned: typeof entry === 'object' && entry !== null && 'x-stage' in entry && entry['x-stage'] === 'planned',
  }))
}

/** A reason that is documented is given somewhere, and one that is planned is not. */
export const reasonsAreGiven: Rule = (repository) => {
  const path = 'spec/schemas/reasons.yaml'
  if (!repository.paths.includes(path)) return [{ path, says: 'house §3.1: the table of reasons is missing' }]
  const said = new Set<string>()
  for (const file of repository.paths) {
    if (!/^(packages\/(engine|server|protocol)|apps\/server)\/src\//.test(file) || !isCode(file)) continue
    visit(repository.syntax(file), (node) => {
      // A table of sentences names every reason as a key; only a value gives one.
      if (ts.isStringLiteralLike(node) && !ts.isPropertyAssignment(node.parent)) said.add(node.text)
      if (ts.isPropertyAssignment(node) && ts.isStringLiteralLike(node.initializer)) said.add(node.initializer.text)
    })
  }
  return reasonsIn(repository.text(path)).flatMap(({ name, planned }): Finding[] => {
    if (planned)
      return said.has(name)
        ? [{ path, says: `house §7: ${name} is given; its x-stage: planned is no longer needed` }]
        : []
    return said.has(name)
      ? []
      : [{ path, says: `house §7: nobody refuses with ${name}; give it, or mark it x-stage: planned` }]
  })
}
