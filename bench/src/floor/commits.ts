/** What a database does with commits as durable as the server's, on one connection. */
export interface CommitFigures {
  /** One row, one commit. */
  readonly single_commits_per_second: number
  /** Rows of commits of 50. */
  readonly grouped_rows_per_second: number
}
