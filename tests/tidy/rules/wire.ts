import ts from 'typescript'
import { type Finding, isGenerated, isTest, isTypeScript, lineOf, type Rule, visit } from '../repository.ts'

const snakeCase = /^[a-z][a-z0-9]*(_[a-z0-9]+)+$/

/** Rooms that speak the wire, with what they say in it. Values such as reasons and command types are data, not names. */
const rooms: Readonly<Record<string, RegExp>> = {
  'the wire itself': /^packages\/protocol\//,
  // All of the server translates, but for the files that only hold, start and stop.
  'requests and answers': /^packages\/server\/src\/(?!(polls|loops|index)\.ts$)/,
  'task answers and commands of a worker': /^packages\/sdk\/src\/(replay|verify|worker|client|transport)\//,
  'failures as histories carry them': /^packages\/sdk\/src\/authoring\/failure-wire\.ts$/,
  'the payload envelope': /^packages\/codec\/src\/(envelope|external-reference)\.ts$/,
  'wire commands into events': /^packages\/engine\/src\/core\/commands\//,
  'event payloads': /^packages\/engine\/src\/core\/history\//,
  'documents that are read as they are stored': /^packages\/engine\/src\/core\/views\//,
  'columns, which are words of SQL': /^packages\/store-sql\//,
  'refusal codes of a release, which are no words of the wire': /^packages\/release\/src\/refusal\.ts$/,
  'the line of JSON that says ready': /^apps\/server\/src\/(main|serve)\.ts$/,
}

const holders = /(^|\.)(payload|command|facts|failure)$/

/**
 * Where the core meets the wire without being one of its rooms: payloads and the facts of refusals are written as object
 * literals (or typed by one in place) by rules and operations, and read through a thing called payload, command, facts or failure.
 */
function isPayload(node: ts.Node, path: string): boolean {
  if (ts.isPropertyAccessExpression(node.parent) && node.parent.name === node) {
    return holders.test(node.parent.expression.getText().replaceAll('?', ''))
  }
  if (!/^packages\/engine\/src\/core\/(rules|operations)\//.test(path)) return false
  const member = ts.isPropertySignature(node.parent) && ts.isTypeLiteralNode(node.parent.parent)
  return (member || ts.isPropertyAssignment(node.parent)) && node.parent.name === node
}

function namesSnakeCase(node: ts.Node): string | undefined {
  if (ts.isIdentifier(node) && snakeCase.test(node.text)) return node.text
  const key =
    ts.isStringLiteral(node) &&
    (ts.isPropertyAssignment(node.parent) || ts.isPropertySignature(node.parent)) &&
    node.parent.name === node
  return key && snakeCase.test(node.text) ? node.text : undefined
}

/** Outside the rooms above our own words are spoken: a wire word that leaks in is a translation that was forgotten. */
export const wireWordsStayInTheirRooms: Rule = (repository) =>
  repository.paths
    .filter(
      (path) =>
        /^(packages|apps|examples)\/[^/]+\/src\//.test(path) &&
        isTypeScript(path) &&
        !isTest(path) &&
        !isGenerated(path),
    )
    .filter((path) => !Object.values(rooms).some((room) => room.test(path)))
    .flatMap((path) => {
      const tree = repository.syntax(path)
      const findings: Finding[] = []
      visit(tree, (node) => {
        const word = namesSnakeCase(node)
        if (word === undefined || isPayload(node, path)) return
        findings.push({
          path,
          line: lineOf(tree, node.getStart()),
          says: `house §3.2: ${word} is a wire word; translate it at the edge`,
        })
      })
      return findings
    })

const isStatusNumber = (node: ts.Node): boolean => ts.isNumericLiteral(node) && /^[1-5]\d\d$/.test(node.text)

function statusIn(node: ts.Node): boolean {
  if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
    return /^(code|status|writeHead)$/.test(node.expression.name.text) && node.arguments.some(isStatusNumber)
  }
  if (ts.isPropertyAssignment(node))
    return /^['"]?status(Code)?['"]?$/.test(node.name.getText()) && isStatusNumber(node.initializer)
  if (ts.isBinaryExpression(node)) return /\.status(Code)?$/.test(node.left.getText()) && isStatusNumber(node.right)
  if (!ts.isPropertyAccessExpression(node) || node.name.text !== 'status') return false
  return /(^|\.)reasons(\[|\.)/.test(node.expression.getText())
}

/** Which status a refusal has is known to one file; engine and store speak in reasons. */
export const statusSecret: Rule = (repository) =>
  repository.paths
    .filter(
      (path) =>
        /^(packages\/(engine|store-sql|server|codec)|apps\/server)\/src\//.test(path) &&
        isTypeScript(path) &&
        !isTest(path),
    )
    .filter((path) => path !== 'packages/server/src/reply.ts')
    .flatMap((path) => {
      const tree = repository.syntax(path)
      const findings: Finding[] = []
      visit(tree, (node) => {
        if (statusIn(node))
          findings.push({
            path,
            line: lineOf(tree, node.getStart()),
            says: 'house §4 status-secret: status codes are known to server/reply.ts alone',
          })
      })
      return findings
    })
