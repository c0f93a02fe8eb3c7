// What workers may say while servers and they themselves are killed; anything else is a finding.
import { type JsonObject, parseJsonObject } from '../../support/process.ts'

/** A report that came too late, dropped with its receipt. */
const settled: ReadonlySet<unknown> = new Set(['stale_attempt', 'task_not_leased'])
/** Another owner, another delivery: fatal to the worker, which is started again. */
const fatal: ReadonlySet<unknown> = new Set([
  'lease_expired',
  'lease_owner_mismatch',
  'workflow_task_attempt_mismatch',
  // Its server was away for longer than a start waits.
  'not_sent',
  'answer_lost',
])
/** No server, or one that does not know this worker yet. */
const outage: ReadonlySet<unknown> = new Set(['not_sent', 'answer_lost', 'worker_not_registered'])

/** The lines that no kill explains, each once with its count. */
export function unexplainedLines(lines: readonly string[]): string[] {
  const counts = new Map<string, number>()
  for (const line of lines) {
    if (line.trim() === '' || isExplained(parseJsonObject(line))) continue
    const text = line.replaceAll(/[0-9a-f]{8,}|\d{3,}/g, '…')
    counts.set(text, (counts.get(text) ?? 0) + 1)
  }
  return [...counts].map(([text, count]) => `${count} × ${text}`)
}

/** The reasons of refusals that were settled or fatal, with their counts. */
export function refusalsIn(lines: readonly string[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const line of lines) {
    const said = parseJsonObject(line)
    if (said === undefined || !(isSettlement(said) || said.level === 'fatal')) continue
    const reason = String(said.reason)
    counts[reason] = (counts[reason] ?? 0) + 1
  }
  return counts
}

const isSettlement = ({ message }: JsonObject): boolean => String(message).startsWith('The report was refused')

function isExplained(said: JsonObject | undefined): boolean {
  if (said === undefined) return false
  if (said.level === 'fatal') return fatal.has(said.reason)
  if (isSettlement(said)) return settled.has(said.reason)
  if (typeof said.error === 'string') return said.error.startsWith('TransportError')
  return said.failures !== undefined && (said.reason === undefined || outage.has(said.reason))
}
