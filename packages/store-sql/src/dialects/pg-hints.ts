// Hints as text: lists of short words, since a notification holds less than 8,000 bytes. What this version does not
// know comes from a newer server and is left out.

import type { Hint, OutcomeKey, TaskKind } from '@durable-workflow/engine/ports'

/** PostgreSQL's own bound is 8,000 bytes. */
const bytesMax = 7_900

/** Everything that is told, in as few notifications as hold it. */
export function notificationsOf(teller: string, hints: readonly Hint[]): readonly string[] {
  const notifications: string[] = []
  const start = `[${JSON.stringify(teller)}`
  let text = start
  let bytes = start.length
  for (const hint of hints) {
    const word = JSON.stringify(wordsOf(hint))
    const wordBytes = Buffer.byteLength(word) + 1
    if (bytes + wordBytes >= bytesMax && text !== start) {
      notifications.push(`${text}]`)
      text = start
      bytes = start.length
    }
    // One that fits nowhere is not told: a hint may be lost.
    if (bytes + wordBytes >= bytesMax) continue
    text += `,${word}`
    bytes += wordBytes
  }
  notifications.push(`${text}]`)
  return notifications
}

/** Who told it, and what. */
export function heardIn(notification: string): { readonly teller: unknown; readonly hints: readonly Hint[] } {
  const [teller, ...words]: unknown[] = listIn(notification)
  return { teller, hints: words.map(hintOf).filter((hint) => hint !== undefined) }
}

// Whoever may connect may notify: what is no list is nobody's hint.
function listIn(text: string): unknown[] {
  try {
    const parsed: unknown = JSON.parse(text)
    return Array.isArray(parsed) ? parsed : []
  } catch {
    return []
  }
}

function wordsOf(hint: Hint): readonly (string | number | null)[] {
  switch (hint.kind) {
    case 'ready':
      return ['ready', hint.task, hint.namespace, hint.taskQueue, hint.availableAt]
    case 'due':
      return ['due', hint.at]
    case 'outcome':
      return ['outcome', hint.key]
    case 'registration':
      return ['registration', hint.namespace, hint.workerId, hint.registrationId ?? null]
    case 'missed':
      return ['missed']
  }
}

function hintOf(words: unknown): Hint | undefined {
  if (!Array.isArray(words)) return undefined
  const [kind, a, b, c, d]: unknown[] = words
  switch (kind) {
    case 'ready':
      if (!isTaskKind(a) || typeof b !== 'string' || typeof c !== 'string' || typeof d !== 'number') return undefined
      return { kind, task: a, namespace: b, taskQueue: c, availableAt: d }
    case 'due':
      return typeof a === 'number' ? { kind, at: a } : undefined
    case 'outcome':
      return isOutcomeKey(a) ? { kind, key: a } : undefined
    case 'registration':
      if (typeof a !== 'string' || typeof b !== 'string') return undefined
      return { kind, namespace: a, workerId: b, registrationId: typeof c === 'string' ? c : undefined }
    case 'missed':
      return { kind }
    default:
      return undefined
  }
}

function isTaskKind(value: unknown): value is TaskKind {
  return value === 'workflow' || value === 'activity' || value === 'query'
}

function isOutcomeKey(value: unknown): value is OutcomeKey {
  return typeof value === 'string' && /^(run|closed|query):/.test(value)
}
