// Where in authored source a call was made. The stack is captured at the call and put into words only when somebody asks.

/** A place in source, as `file:line:column`, or undefined where the runtime does not tell. */
export interface Place {
  location(): string | undefined
}

// The caller's own frame, below one of the runtime's (ids.map(ctx.run)); walking further costs, and says no more.
const framesMax = 2

/** The caller of `callee`: frames above and including `callee` are left out. */
export function placeOfCaller(callee: (...args: never[]) => unknown): Place {
  const holder: { stack?: string } = {}
  const usual = Error.stackTraceLimit
  Error.stackTraceLimit = framesMax
  Error.captureStackTrace(holder, callee)
  Error.stackTraceLimit = usual
  return { location: () => locationOf(holder.stack) }
}

/** The first place that a formatted stack names. */
export function locationOf(stack: string | undefined): string | undefined {
  for (const line of (stack ?? '').split('\n')) {
    const found = /^\s*at (?:.*\()?(?:async )?((?:file:\/\/)?[^()]+:\d+:\d+)\)?\s*$/.exec(line)
    if (found?.[1] !== undefined) return found[1]
  }
  return undefined
}
