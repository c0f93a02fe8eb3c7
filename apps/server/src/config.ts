// Settings: from arguments, then the environment, then durable-workflow.config.ts (design: the first that names one wins).
// An unknown or invalid one stops the start with a sentence that names it.
import { parseArgs } from 'node:util'
import type { RoleToken } from '@durable-workflow/server'
import * as z from 'zod'

/** Everything that a server can be told. */
export interface Config {
  readonly host: string
  /** 0 takes any free one. */
  readonly port: number
  /** `sqlite:FILE`, `sqlite::memory:` or `postgres://user:password@host:port/database`. */
  readonly databaseUrl: string
  readonly workerProtocolVersion: '1.19' | '1.20'
  /** Without any, everybody may do everything; only a loopback host may be served so. */
  readonly tokens: readonly RoleToken[]
  /** How long a claimed workflow task is its worker's, in seconds. */
  readonly workflowTaskTimeoutSeconds: number
  /** How long a claimed activity task is its worker's between heartbeats, in seconds. */
  readonly activityTaskTimeoutSeconds: number
  /** How long a transaction waits for another process that holds the database, in seconds. */
  readonly databaseLockTimeoutSeconds: number
  /** How long a stop may take before the process ends all the same, in seconds. */
  readonly shutdownTimeoutSeconds: number
  /** Whether servers on one PostgreSQL tell each other what became ready; without, each finds it at its next scan. */
  readonly notifications: boolean
  readonly logLevel: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent'
  /** For race tests only: a named point at which the server waits; see test-barrier.ts. */
  readonly testBarrier: string | undefined
}

/** A setting is unknown or invalid. The message is a sentence for the operator. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

export interface ConfigSources {
  /** Arguments of the command, without program and script. */
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string | undefined>>
  /** The `server` object of durable-workflow.config.ts. */
  readonly file?: Readonly<Record<string, unknown>>
}

const secondsMax = 86_400

const whole = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/, `must be a whole number from ${min} to ${max}`)
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be a whole number from ${min} to ${max}`)

const token = z.string().min(8, 'must have at least 8 characters').regex(/^\S+$/, 'must not hold white space')
const databaseUrl = z
  .string()
  .refine(
    (url) => /^sqlite:.+/s.test(url) || (/^postgres(ql)?:\/\//.test(url) && URL.canParse(url)),
    'must be sqlite:FILE, sqlite::memory: or postgres://USER:PASSWORD@HOST:PORT/DATABASE',
  )

const seconds = (value: number) => whole(1, secondsMax).default(value)

/** Environment name → what it takes, as text, and what it means. The argument is its name in lower case with dashes, without `dw-`. */
const settings = z.object({
  DW_HOST: z
    .string()
    .min(1, 'must name an address')
    .default('127.0.0.1')
    .describe('address to listen on; without tokens only a loopback address is served'),
  DW_PORT: whole(0, 65_535).default(7400).describe('port; 0 takes any free one'),
  DW_DATABASE_URL: databaseUrl
    .default('sqlite:durable-workflow.db')
    .describe('`sqlite:FILE`, `sqlite::memory:` or `postgres://user:password@host:port/database`'),
  DW_WORKER_PROTOCOL_VERSION: z
    .enum(['1.19', '1.20'], 'must be 1.19 or 1.20')
    .default('1.19')
    .describe('advertised worker line, `1.19` or `1.20`; older headers are always taken'),
  DW_WORKER_TOKEN: token.optional().describe('bearer token of the role worker'),
  DW_OPERATOR_TOKEN: token.optional().describe('bearer token of the role operator'),
  DW_ADMIN_TOKEN: token.optional().describe('bearer token of the role admin'),
  DW_AUTH_TOKEN: token.optional().describe('bearer token of all roles'),
  DW_WORKFLOW_TASK_TIMEOUT: seconds(60).describe('seconds of a workflow-task lease'),
  DW_ACTIVITY_TASK_TIMEOUT: seconds(300).describe('seconds of an activity-task lease'),
  DW_DATABASE_LOCK_TIMEOUT: seconds(10).describe(
    'seconds that a transaction waits for another process that holds the database',
  ),
  DW_SHUTDOWN_TIMEOUT: seconds(25).describe('seconds that a stop may take; then the process ends with exit code 1'),
  DW_NOTIFICATIONS: z
    .enum(['on', 'off'], 'must be on or off')
    .default('on')
    .describe('`off`: servers on one PostgreSQL do not LISTEN; each finds work at its next scan'),
  DW_LOG_LEVEL: z
    .enum(
      ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
      'must be fatal, error, warn, info, debug, trace or silent',
    )
    .default('info')
    .describe('`fatal`, `error`, `warn`, `info`, `debug`, `trace`, `silent`'),
})

const names = Object.keys(settings.shape)

/** Names under our prefix that others read: clients, the published dw command, tests. */
const foreign: ReadonlySet<string> = new Set(['DW_ENV', 'DW_CONFIG_HOME'])

/**
 * Reads and checks all settings.
 *
 * @throws ConfigError with a sentence that names the first setting that is wrong
 */
export function readConfig(sources: ConfigSources = {}): Config {
  const env = sources.env ?? {}
  const given = { ...fromFile(sources.file ?? {}), ...fromEnvironment(env), ...fromArguments(sources.args ?? []) }
  const parsed = settings.safeParse(given)
  if (!parsed.success) throw invalid(parsed.error.issues, given)
  const values = parsed.data
  const config: Config = {
    host: values.DW_HOST,
    port: values.DW_PORT,
    databaseUrl: values.DW_DATABASE_URL,
    workerProtocolVersion: values.DW_WORKER_PROTOCOL_VERSION,
    tokens: tokensOf(values),
    workflowTaskTimeoutSeconds: values.DW_WORKFLOW_TASK_TIMEOUT,
    activityTaskTimeoutSeconds: values.DW_ACTIVITY_TASK_TIMEOUT,
    databaseLockTimeoutSeconds: values.DW_DATABASE_LOCK_TIMEOUT,
    shutdownTimeoutSeconds: values.DW_SHUTDOWN_TIMEOUT,
    notifications: values.DW_NOTIFICATIONS === 'on',
    logLevel: values.DW_LOG_LEVEL,
    testBarrier: env.DW_TEST_BARRIER,
  }
  if (config.tokens.length === 0 && !isLoopback(config.host)) throw unprotected(config.host)
  return config
}

/** One setting as people are told of it. */
export interface SettingDescription {
  /** In the environment, like `DW_DATABASE_URL`. */
  readonly name: string
  /** As an argument, like `--database-url`. */
  readonly argument: string
  /** `undefined`: not set. */
  readonly default: string | undefined
  readonly meaning: string
}

/** All settings, in the order in which they are documented. */
export function describeSettings(): SettingDescription[] {
  const defaults = new Map<string, unknown>(Object.entries(settings.parse({})))
  return Object.entries(settings.shape).map(([name, schema]) => ({
    name,
    argument: `--${argumentOf(name)}`,
    default: defaults.has(name) ? String(defaults.get(name)) : undefined,
    meaning: schema.description ?? '',
  }))
}

/** Whether only this machine reaches the address. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host)
}

type Given = Record<string, string>

function fromEnvironment(env: Readonly<Record<string, string | undefined>>): Given {
  const given: Given = {}
  for (const [name, value] of Object.entries(env)) {
    if (!name.startsWith('DW_') || name.startsWith('DW_TEST_') || foreign.has(name) || value === undefined) continue
    if (!names.includes(name)) throw unknown(name, names)
    given[name] = value
  }
  return given
}

const argumentOf = (name: string): string => name.slice('DW_'.length).toLowerCase().replaceAll('_', '-')

function fromArguments(args: readonly string[]): Given {
  const options = Object.fromEntries(names.map((name) => [argumentOf(name), { type: 'string' as const }]))
  const values = parseOptions(args, options)
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = values[argumentOf(name)]
      return typeof value === 'string' ? [[name, value]] : []
    }),
  )
}

function parseOptions(args: readonly string[], options: Record<string, { type: 'string' }>): Record<string, unknown> {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: false }).values
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error)
    throw new ConfigError(
      `${problem}. The arguments are ${Object.keys(options)
        .map((name) => `--${name}`)
        .join(', ')}.`,
    )
  }
}

/** `workflowTaskTimeout` in the file is DW_WORKFLOW_TASK_TIMEOUT in the environment. */
const keyOf = (name: string): string =>
  argumentOf(name).replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())

function fromFile(file: Readonly<Record<string, unknown>>): Given {
  const byKey = new Map(names.map((name) => [keyOf(name), name]))
  const given: Given = {}
  for (const [key, value] of Object.entries(file)) {
    const name = byKey.get(key)
    if (name === undefined) throw unknown(`server.${key} in durable-workflow.config.ts`, [...byKey.keys()])
    if (typeof value !== 'string' && typeof value !== 'number') {
      throw new ConfigError(`server.${key} in durable-workflow.config.ts must be a string or a number.`)
    }
    given[name] = String(value)
  }
  return given
}

function tokensOf(values: z.output<typeof settings>): RoleToken[] {
  const tokens: RoleToken[] = []
  const add = (name: string, token: string | undefined, roles: RoleToken['roles']) => {
    if (token !== undefined) tokens.push({ name, token, roles })
  }
  add('DW_WORKER_TOKEN', values.DW_WORKER_TOKEN, ['worker'])
  add('DW_OPERATOR_TOKEN', values.DW_OPERATOR_TOKEN, ['operator'])
  add('DW_ADMIN_TOKEN', values.DW_ADMIN_TOKEN, ['admin'])
  add('DW_AUTH_TOKEN', values.DW_AUTH_TOKEN, ['worker', 'operator', 'admin'])
  return tokens
}

function unknown(name: string, known: readonly string[]): ConfigError {
  return new ConfigError(`${name} is no setting of this server; it knows ${known.join(', ')}.`)
}

interface Issue {
  readonly path: readonly PropertyKey[]
  readonly message: string
}

function invalid(issues: readonly Issue[], given: Given): ConfigError {
  const [issue] = issues
  const name = String(issue?.path[0])
  // A secret is not written anywhere, not even a wrong one.
  const value = name.endsWith('_TOKEN') || given[name]?.includes('@') ? '' : ` ${JSON.stringify(given[name])}`
  return new ConfigError(`${name}${value} ${issue?.message ?? 'is not valid'}.`)
}

function unprotected(host: string): ConfigError {
  return new ConfigError(
    `DW_HOST ${JSON.stringify(host)} can be reached from other machines and no token is set: set DW_AUTH_TOKEN, ` +
      'or DW_WORKER_TOKEN, DW_OPERATOR_TOKEN and DW_ADMIN_TOKEN, or serve 127.0.0.1.',
  )
}
