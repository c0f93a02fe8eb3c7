// What activities leave outside of the database, and the gates that they wait for: files of one folder.
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

const folder = process.env.WORK_FOLDER ?? '.'
const file = join(folder, 'effects.jsonl')
const Effect = z.object({ workflowId: z.string(), step: z.string() })

// Appending one short line is one write: lines of several processes do not mix.
export const leave = (workflowId: string, step: string): void =>
  appendFileSync(file, `${JSON.stringify({ workflowId, step })}\n`)

/** How often each step of a run was executed. */
export function effectsOf(workflowId: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  const lines = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []
  for (const line of lines.filter((one) => one !== '')) {
    const effect = Effect.parse(JSON.parse(line))
    if (effect.workflowId === workflowId) counts.set(effect.step, (counts.get(effect.step) ?? 0) + 1)
  }
  return counts
}

const gateOf = (workflowId: string, name: string): string => join(folder, `gate-${workflowId}-${name}`)

export const openGate = (workflowId: string, name: string): void => writeFileSync(gateOf(workflowId, name), '')
export const isOpen = (workflowId: string, name: string): boolean => existsSync(gateOf(workflowId, name))
