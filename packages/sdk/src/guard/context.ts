/** What workflow code gets instead of clock and chance. */
export interface GuardContext {
  /** Epoch ms. */
  now(): number
  /** From 0 up to but not including 1. */
  random(): number
  uuid(): string
  /** Hears of a rejection in its workflow code that nobody handles; left out: nobody is told. */
  unhandled?(error: unknown): void
}
