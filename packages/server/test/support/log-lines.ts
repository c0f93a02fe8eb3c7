import { Writable } from 'node:stream'

export interface LogLines {
  readonly stream: Writable
  /** Everything that was logged, as it was written. */
  text(): string
  /** Every line as the object that it is; a line that is none fails the test. */
  lines(): readonly Readonly<Record<string, unknown>>[]
}

/** Where a server under test logs to. */
export function logLines(): LogLines {
  let logged = ''
  const stream = new Writable({
    write(chunk, _encoding, done) {
      logged += String(chunk)
      done()
    },
  })
  return {
    stream,
    text: () => logged,
    lines: () =>
      logged
        .split('\n')
        .filter((line) => line !== '')
        .map((line): Record<string, unknown> => ({ ...JSON.parse(line) })),
  }
}
