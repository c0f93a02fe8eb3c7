import { execFileSync } from 'node:child_process'

/** Settings of the person or machine must not change what a checkout holds. */
const fixed = [
  '-c',
  'core.autocrlf=false',
  '-c',
  'core.eol=lf',
  '-c',
  'core.quotePath=false',
  '-c',
  'core.fsmonitor=false',
]

/** Runs git in a repository; answers with what it prints. @throws Error when git ends with an error */
export const git = (repository: string, ...args: readonly string[]): string =>
  gitBytes(repository, ...args).toString('utf8')

/** The same for what may be no text. */
export const gitBytes = (repository: string, ...args: readonly string[]): Buffer =>
  execFileSync('git', [...fixed, '-C', repository, ...args], {
    env: gitEnvironment(),
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: 1 << 28,
  })

/** What git prints, without the white space around; undefined when it ends with an error, which is an answer here. */
export function gitAnswer(repository: string, ...args: readonly string[]): string | undefined {
  try {
    return git(repository, ...args).trim()
  } catch (error) {
    if (error instanceof Error && 'status' in error && typeof error.status === 'number') return undefined
    throw error // git itself did not run
  }
}

/** Nothing that git sets for its hooks: a `GIT_DIR` from outside would name another repository. */
function gitEnvironment(): Record<string, string> {
  const inherited = Object.entries(process.env).flatMap(([name, value]): [string, string][] =>
    value === undefined || name.startsWith('GIT_') ? [] : [[name, value]],
  )
  return { ...Object.fromEntries(inherited), GIT_TERMINAL_PROMPT: '0', LC_ALL: 'C' }
}
