import type { Logger } from '../authoring/context.ts'

type Level = 'debug' | 'info' | 'warn' | 'error'

/** One JSON object a line on standard error; `debug` is left out. Never handed payloads, tokens or headers. */
export const defaultLog: Logger = {
  debug: () => {},
  info: (message, facts) => write('info', message, facts),
  warn: (message, facts) => write('warn', message, facts),
  error: (message, facts) => write('error', message, facts),
}

function write(level: Level, message: string, facts: Record<string, unknown> = {}): void {
  process.stderr.write(`${JSON.stringify({ at: new Date().toISOString(), level, message, ...facts }, replacer)}\n`)
}

// Authored code may log what JSON has no word for.
function replacer(_key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString()
  if (value instanceof Error) return { name: value.name, message: value.message }
  return value
}

/** The same log with facts that stand on every line. */
export function withFacts(log: Logger, common: Record<string, unknown>): Logger {
  const add = (facts?: Record<string, unknown>) => ({ ...common, ...facts })
  return {
    debug: (message, facts) => log.debug(message, add(facts)),
    info: (message, facts) => log.info(message, add(facts)),
    warn: (message, facts) => log.warn(message, add(facts)),
    error: (message, facts) => log.error(message, add(facts)),
  }
}
