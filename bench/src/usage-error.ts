/** What is wrong with a command line, in one sentence. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
