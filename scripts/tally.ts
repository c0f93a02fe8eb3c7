/** What a suite reported: how many tests passed and failed, and what was skipped. */
export interface Tally {
  passed: number
  failed: number
  /** Names of skipped tests, which state their reason, or the line in which a suite says why. */
  skipped: readonly string[]
}

const record = (value: unknown): ReadonlyMap<string, unknown> =>
  new Map(typeof value === 'object' && value !== null ? Object.entries(value) : [])

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** Reads what vitest's JSON reporter wrote; a file that broke before its first test counts as one failure. */
export function tallyOfVitest(report: unknown): Tally {
  let passed = 0
  let failed = 0
  const skipped: string[] = []
  for (const file of list(record(report).get('testResults')).map(record)) {
    const tests = list(file.get('assertionResults')).map(record)
    const failedBefore = failed
    for (const test of tests) {
      const status = test.get('status')
      if (status === 'passed') passed += 1
      else if (status === 'failed') failed += 1
      else skipped.push(`${test.get('fullName')}`)
    }
    if (file.get('status') === 'failed' && failed === failedBefore) failed += 1
  }
  return { passed, failed, skipped }
}

/** Reads what the foreign suite printed: its last `N passed, N failed`, and each line that says what was not run. */
export function tallyOfLines(lines: readonly string[], exitCode: number): Tally {
  const counts = lines.map((line) => /^(\d+) passed, (\d+) failed$/.exec(line)).findLast((match) => match !== null)
  const skipped = lines.filter((line) => /^\d+ cells (skipped|not run): /.test(line))
  if (counts === undefined) return { passed: 0, failed: exitCode === 0 && skipped.length > 0 ? 0 : 1, skipped }
  const failed = Number(counts[2])
  return { passed: Number(counts[1]), failed: exitCode !== 0 && failed === 0 ? 1 : failed, skipped }
}

export const sum = (tallies: readonly Tally[]): Tally => ({
  passed: tallies.reduce((total, { passed }) => total + passed, 0),
  failed: tallies.reduce((total, { failed }) => total + failed, 0),
  skipped: tallies.flatMap(({ skipped }) => skipped),
})

const words: Readonly<Record<string, RegExp>> = {
  postgres: /postgres/i,
  python: /python/i,
  cargo: /cargo|rust/i,
  registry: /package registry/i,
}

/**
 * What is said of the skips: the many for want of PostgreSQL as one line with the remedy, every other one by its name.
 */
export function skipLines(skipped: readonly string[]): string[] {
  const ofPostgres = skipped.filter((line) => words.postgres?.test(line))
  const others = skipped.filter((line) => !ofPostgres.includes(line))
  if (ofPostgres.length === 0) return others
  const remedy = 'set DW_TEST_POSTGRES_URL, or run `pnpm postgres npm test`'
  return [...others, `${ofPostgres.length} that need PostgreSQL (needs postgres): ${remedy}`]
}

/**
 * The skips that this run may not have.
 *
 * @param required `DW_TEST_REQUIRE`: `all`, or a list such as `python,cargo`; '' allows every skip
 * @param sharedMissing without `../shared` what needs it is skipped, and that is never a failure
 */
export function forbiddenSkips(skipped: readonly string[], required: string, sharedMissing: boolean): string[] {
  const wanted = required.split(',').map((word) => word.trim())
  return skipped.filter((line) => {
    if (sharedMissing && (line.includes('../shared') || !/not (installed|found|running)|needs/.test(line))) return false
    return wanted.includes('all') || wanted.some((word) => words[word]?.test(line) ?? false)
  })
}
