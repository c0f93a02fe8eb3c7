/**
 * Asks a question once at a time: whoever asks while it is open gets the same answer.
 *
 * A database that hangs would otherwise collect one open question, and one connection, from every probe of every balancer.
 */
export function sharedQuestion(ask: () => Promise<void>): () => Promise<void> {
  let open: Promise<void> | undefined
  return () => {
    open ??= ask().finally(() => {
      open = undefined
    })
    return open
  }
}
