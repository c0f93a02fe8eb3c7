/** Free places for tasks of one kind. */
export interface Slots {
  readonly max: number
  readonly free: number
  /** Waits for a free slot; undefined when `signal` aborts first. The caller calls what it got exactly once. */
  acquire(signal: AbortSignal): Promise<(() => void) | undefined>
  /** Takes a slot that is free right now; undefined when there is none. What it returns gives the slot back, once. */
  tryAcquire(): (() => void) | undefined
}

export function createSlots(max: number): Slots {
  let used = 0
  const waiting: (() => void)[] = []

  const release = () => {
    used -= 1
    waiting.shift()?.()
  }

  const tryAcquire = () => {
    if (used >= max) return undefined
    used += 1
    return once(release)
  }

  return {
    max,
    tryAcquire,
    get free() {
      return max - used
    },
    async acquire(signal) {
      while (used >= max && !signal.aborted) await turn(waiting, signal)
      return signal.aborted ? undefined : tryAcquire()
    },
  }
}

function turn(waiting: (() => void)[], signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      signal.removeEventListener('abort', done)
      const at = waiting.indexOf(done)
      if (at >= 0) waiting.splice(at, 1)
      resolve()
    }
    waiting.push(done)
    signal.addEventListener('abort', done, { once: true })
  })
}

function once(work: () => void): () => void {
  let isDone = false
  return () => {
    if (isDone) return
    isDone = true
    work()
  }
}
