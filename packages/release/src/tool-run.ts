// Runs the tools that install and pack: in an environment that is made, not inherited.
import { spawn } from 'node:child_process'
import { delimiter, join, sep } from 'node:path'

/** What may differ between two packs of one commit, and must not matter. */
export interface Surroundings {
  /** Of new files. */
  readonly umask: number
  readonly timeZone: string
  readonly locale: string
}

/** How a tool ended. */
export interface Ran {
  readonly status: number
  /** The end of what it printed on both streams, for people. */
  readonly output: string
  /** The end of what it printed as its result: npm puts notices for people on the other stream. */
  readonly answer: string
}

const outputMax = 65_536

/** Where and how a tool runs; `seconds` ends it by force, and it runs as long as it likes without it. */
export interface Running {
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  readonly umask: number
  readonly seconds?: number
}

/** Runs a tool, word by word. @throws Error when it cannot be started */
export function runTool(
  [program = '', ...args]: readonly string[],
  { cwd, env, umask, seconds }: Running,
): Promise<Ran> {
  const limit = seconds === undefined ? {} : ({ timeout: seconds * 1000, killSignal: 'SIGKILL' } as const)
  return new Promise((resolve, reject) => {
    const child = withUmask(umask, () =>
      spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], ...limit }),
    )
    let [output, answer] = ['', '']
    const stop = () => child.kill()
    process.prependOnceListener('exit', stop) // before those who remove the folder in which it writes
    const end = (text: string, chunk: Buffer) => (text + chunk.toString('utf8')).slice(-outputMax)
    child.stdout.on('data', (chunk: Buffer) => {
      answer = end(answer, chunk)
      output = end(output, chunk)
    })
    child.stderr.on('data', (chunk: Buffer) => {
      output = end(output, chunk)
    })
    child.on('error', reject)
    child.on('close', (code) => {
      process.removeListener('exit', stop)
      resolve({ status: code ?? -1, output, answer })
    })
  })
}

/** Does synchronous work, the start of a child process too, under another umask. */
export function withUmask<T>(umask: number, work: () => T): T {
  const before = process.umask(umask)
  try {
    return work()
  } finally {
    process.umask(before)
  }
}

/** Who runs it, and where packages come from; all else that a script, npm or pnpm hands on stays outside. */
const inherited =
  /^(PATH|HOME|USER|LOGNAME|XDG_\w+_HOME|PNPM_HOME|(https?|no|all)_proxy|NODE_EXTRA_CA_CERTS|SSL_CERT_(FILE|DIR)|p?npm_config_(.*registry|.*proxy|noproxy|ca|cafile|cache|store_dir|userconfig))$/i

/** The variables of this process whose names fit. */
export const environmentOf = (names: RegExp): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]): [string, string][] =>
      value === undefined || !names.test(name) ? [] : [[name, value]],
    ),
  )

/**
 * The environment of a pack: programs that the clone pins come first, none of another checkout; no cache of a build.
 *
 * @param temporary  a folder for temporary files, inside of the folder of the pack
 */
export function packEnvironment(
  clone: string,
  temporary: string,
  { timeZone, locale }: Surroundings,
): Readonly<Record<string, string>> {
  const path = (process.env.PATH ?? '').split(delimiter).filter((one) => !one.includes(join('node_modules', '.bin')))
  return {
    ...environmentOf(inherited),
    PATH: [`${clone}${sep}${join('node_modules', '.bin')}`, ...path].join(delimiter),
    TMPDIR: temporary,
    TZ: timeZone,
    LC_ALL: locale,
    LANG: locale,
    CI: 'true',
    TURBO_FORCE: 'true',
    TURBO_CACHE: 'local:,remote:',
    TURBO_TELEMETRY_DISABLED: '1',
  }
}
