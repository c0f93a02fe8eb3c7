import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ConfigError, isLoopback, readConfig } from '../src/config.ts'
import { readConfigFile } from '../src/config-file.ts'
import { testBarrier } from '../src/test-barrier.ts'

test('without settings the server listens on loopback at 7400 and advertises 1.19', () => {
  expect(readConfig()).toEqual({
    host: '127.0.0.1',
    port: 7400,
    databaseUrl: 'sqlite:durable-workflow.db',
    workerProtocolVersion: '1.19',
    tokens: [],
    workflowTaskTimeoutSeconds: 60,
    activityTaskTimeoutSeconds: 300,
    databaseLockTimeoutSeconds: 10,
    shutdownTimeoutSeconds: 25,
    notifications: true,
    logLevel: 'info',
    testBarrier: undefined,
  })
})

test('each setting is taken', () => {
  const env = {
    DW_HOST: '0.0.0.0',
    DW_PORT: '0',
    DW_DATABASE_URL: 'sqlite::memory:',
    DW_WORKER_PROTOCOL_VERSION: '1.20',
    DW_WORKER_TOKEN: 'worker-token',
    DW_OPERATOR_TOKEN: 'operator-token',
    DW_ADMIN_TOKEN: 'admin-token',
    DW_AUTH_TOKEN: 'token-of-all',
    DW_WORKFLOW_TASK_TIMEOUT: '8',
    DW_ACTIVITY_TASK_TIMEOUT: '10',
    DW_DATABASE_LOCK_TIMEOUT: '3',
    DW_SHUTDOWN_TIMEOUT: '7',
    DW_NOTIFICATIONS: 'off',
    DW_LOG_LEVEL: 'debug',
  }
  expect(readConfig({ env })).toEqual({
    host: '0.0.0.0',
    port: 0,
    databaseUrl: 'sqlite::memory:',
    workerProtocolVersion: '1.20',
    tokens: [
      { name: 'DW_WORKER_TOKEN', token: 'worker-token', roles: ['worker'] },
      { name: 'DW_OPERATOR_TOKEN', token: 'operator-token', roles: ['operator'] },
      { name: 'DW_ADMIN_TOKEN', token: 'admin-token', roles: ['admin'] },
      { name: 'DW_AUTH_TOKEN', token: 'token-of-all', roles: ['worker', 'operator', 'admin'] },
    ],
    workflowTaskTimeoutSeconds: 8,
    activityTaskTimeoutSeconds: 10,
    databaseLockTimeoutSeconds: 3,
    shutdownTimeoutSeconds: 7,
    notifications: false,
    logLevel: 'debug',
    testBarrier: undefined,
  })
})

test('arguments win over the environment, the environment over the file', () => {
  const sources = {
    args: ['--port', '1', '--worker-protocol-version=1.20'],
    env: { DW_PORT: '2', DW_LOG_LEVEL: 'warn', DW_WORKER_PROTOCOL_VERSION: '1.19' },
    file: { port: 3, logLevel: 'error', workflowTaskTimeout: 5 },
  }
  expect(readConfig(sources)).toMatchObject({
    port: 1,
    logLevel: 'warn',
    workflowTaskTimeoutSeconds: 5,
    workerProtocolVersion: '1.20',
  })
})

/** What is wrong for a setting, and what its sentence says is right. */
interface Wrong {
  readonly says: string
  readonly values: readonly string[]
}

const notWhole = [
  '',
  ' ',
  'x',
  '1.5',
  '1e3',
  '0x10',
  '+5',
  '-0',
  ' 7',
  '7 ',
  '٣',
  '1,000',
  'NaN',
  'Infinity',
  '7\u0000',
  '9'.repeat(400),
]
const seconds: readonly Wrong[] = [
  { says: 'must be a whole number from 1 to 86400.', values: [...notWhole, '0', '-1', '86401'] },
]
const token: readonly Wrong[] = [
  { says: 'must have at least 8 characters.', values: ['', ' ', '1234567'] },
  { says: 'must not hold white space.', values: ['two words', 'new\nlines', 'a tab\tin it', ' leading-space'] },
  {
    says: 'must hold visible ASCII characters only',
    values: ['пароль-пароль', 'naïve-token', 'with\u0000zero', 'emoji-😀-token'],
  },
]

const wrongValues: Readonly<Record<string, readonly Wrong[]>> = {
  DW_HOST: [
    { says: 'must name an address.', values: [''] },
    {
      says: 'must be an address or a host name',
      values: [' ', 'http://127.0.0.1', '127.0.0.1 ', 'a b', '[::1]', '127.0.0.1/x', 'a\u0000b', 'host,other'],
    },
  ],
  DW_PORT: [{ says: 'must be a whole number from 0 to 65535.', values: [...notWhole, '-1', '65536'] }],
  DW_DATABASE_URL: [
    {
      says: 'must be sqlite:FILE, sqlite::memory: or postgres://USER:PASSWORD@HOST:PORT/DATABASE.',
      values: ['', ' ', 'sqlite:', 'sqlite', '/var/lib/dw.db', 'mysql://db/x', 'postgres:', 'postgres://host:port/x'],
    },
  ],
  DW_WORKER_PROTOCOL_VERSION: [
    { says: 'must be 1.19 or 1.20.', values: ['', ' ', '1', '1.18', '1.21', '2.0', '1.19 ', 'v1.19', '1.190'] },
  ],
  DW_WORKER_TOKEN: token,
  DW_OPERATOR_TOKEN: token,
  DW_ADMIN_TOKEN: token,
  DW_AUTH_TOKEN: token,
  DW_WORKFLOW_TASK_TIMEOUT: seconds,
  DW_ACTIVITY_TASK_TIMEOUT: seconds,
  DW_DATABASE_LOCK_TIMEOUT: seconds,
  DW_SHUTDOWN_TIMEOUT: seconds,
  DW_NOTIFICATIONS: [{ says: 'must be on or off.', values: ['', ' ', 'yes', 'true', '1', 'ON', 'on '] }],
  DW_LOG_LEVEL: [
    {
      says: 'must be fatal, error, warn, info, debug, trace or silent.',
      values: ['', ' ', 'loud', 'INFO', '30', 'info,debug'],
    },
  ],
}

test('the table of wrong values names every setting', () => {
  const sentence = sentenceOf({ env: { DW_NO_SUCH: 'x' } })
  const known = /it knows (.*)\.$/.exec(sentence)?.[1]?.split(', ') ?? []
  expect(Object.keys(wrongValues).sort()).toEqual([...known].sort())
})

const rows = Object.entries(wrongValues).flatMap(([name, wrongs]) =>
  wrongs.flatMap(({ says, values }) => values.map((value) => [name, value, says] as const)),
)

test.each(rows)('%s %j stops the start and hears what is right, wherever it was set', (name, value, says) => {
  const argument = `--${name.slice('DW_'.length).toLowerCase().replaceAll('_', '-')}`
  const key = argument.slice(2).replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
  const isSecret = name.endsWith('_TOKEN') || value.includes('@')
  for (const sources of [{ env: { [name]: value } }, { args: [`${argument}=${value}`] }, { file: { [key]: value } }]) {
    const sentence = sentenceOf(sources)
    expect(sentence).toContain(name)
    expect(sentence).toContain(says)
    if (isSecret && value.trim() !== '') expect(sentence).not.toContain(value)
    if (!isSecret) expect(sentence).toContain(JSON.stringify(value))
  }
})

function sentenceOf(sources: Parameters<typeof readConfig>[0]): string {
  try {
    readConfig(sources)
  } catch (error) {
    if (error instanceof ConfigError) return error.message
    throw error
  }
  throw new Error(`${JSON.stringify(sources)} was taken.`)
}

describe('stops the start with a sentence that names it', () => {
  test.each([
    [{ DW_PROT: '1' }, 'DW_PROT is no setting of this server'],
    [{ DW_SERVER_ID: 'x' }, 'DW_SERVER_ID is no setting of this server'],
    [{ dw_port: '1', DW_port: '1' }, 'DW_port is no setting of this server'],
    [{ DW___proto__: '1' }, 'DW___proto__ is no setting of this server'],
    [{ DW_: '1' }, 'DW_ is no setting of this server'],
    [{ DW_DATABASE_URL: 'postgres://dw:secret@host:port/x' }, 'DW_DATABASE_URL must be sqlite:FILE'],
    [{ DW_HOST: '0.0.0.0' }, 'DW_HOST "0.0.0.0" can be reached from other machines and no token is set'],
    [{ DW_HOST: '::' }, 'DW_HOST "::" can be reached from other machines and no token is set'],
  ])('%j', (env, sentence) => {
    expect(() => readConfig({ env })).toThrow(ConfigError)
    expect(() => readConfig({ env })).toThrow(sentence)
  })

  test('a wrong token is not written', () => {
    expect(() => readConfig({ env: { DW_AUTH_TOKEN: 'secret' } })).toThrow(/^(?!.*secret).*$/)
  })

  test.each([
    [{ args: ['--prot', '1'] }, '--prot'],
    [{ args: ['7400'] }, '7400'],
    [{ args: ['--port'] }, '--port'],
    [{ file: { prot: 1 } }, 'server.prot in durable-workflow.config.ts is no setting'],
    [{ file: { port: [1] } }, 'server.port in durable-workflow.config.ts must be a string or a number'],
    [{ file: { port: null } }, 'server.port in durable-workflow.config.ts must be a string or a number'],
    [
      { file: { notifications: true } },
      'server.notifications in durable-workflow.config.ts must be a string or a number',
    ],
    [{ file: { port: Number.NaN } }, 'DW_PORT "NaN"'],
    [{ file: { workflowTaskTimeout: 1.5 } }, 'DW_WORKFLOW_TASK_TIMEOUT "1.5"'],
    [{ file: { DW_PORT: 1 } }, 'server.DW_PORT in durable-workflow.config.ts is no setting'],
    [{ file: { constructor: 1 } }, 'server.constructor in durable-workflow.config.ts is no setting'],
    [{ file: { port: -1 } }, 'DW_PORT "-1"'],
  ])('%j', (sources, sentence) => {
    expect(() => readConfig(sources)).toThrow(ConfigError)
    expect(() => readConfig(sources)).toThrow(sentence)
  })
})

test('names that others use under our prefix are left alone', () => {
  const env = {
    DW_ENV: 'dev',
    DW_CONFIG_HOME: '/x',
    DW_TEST_REQUIRE: 'all',
    DURABLE_WORKFLOW_SERVER_URL: 'http://x',
    PATH: '/bin',
  }
  expect(readConfig({ env })).toEqual(readConfig())
})

test.each([
  ['127.0.0.1', true],
  ['127.1.2.3', true],
  ['localhost', true],
  ['::1', true],
  ['0.0.0.0', false],
  ['::', false],
  ['10.0.0.1', false],
  ['example.test', false],
])('%s is reached from this machine only: %s', (host, loopback) => {
  expect(isLoopback(host)).toBe(loopback)
})

test.each([[undefined], ['gathered'], ['gathered:heartbeatWorkflowTask'], ['somewhere:x:/tmp'], ['gathered::/tmp']])(
  'the test barrier %j is refused',
  (text) => {
    if (text !== undefined) expect(() => testBarrier(text)).toThrow(ConfigError)
    expect(readConfig({ env: { DW_TEST_BARRIER: text } }).testBarrier).toBe(text)
  },
)

describe('durable-workflow.config.ts', () => {
  let directory: string
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'dw-config-'))
  })
  afterEach(() => rm(directory, { recursive: true }))

  const write = (text: string) => writeFile(join(directory, 'durable-workflow.config.ts'), text)

  test('is not needed', async () => {
    expect(await readConfigFile(directory)).toEqual({})
  })

  test('gives its server object', async () => {
    await write('export default { server: { port: 7500 as number }, worker: { anything: true } }')
    expect(await readConfigFile(directory)).toEqual({ port: 7500 })
  })

  test('may be for others only', async () => {
    await write('export default { worker: {} }')
    expect(await readConfigFile(directory)).toEqual({})
  })

  test.each([
    ['export const server = {}', 'must have an object as its default export'],
    ['export default { server: 7 }', 'server in durable-workflow.config.ts must be an object'],
    ['export default {', 'durable-workflow.config.ts cannot be loaded'],
  ])('%s is refused', async (text, sentence) => {
    await write(text)
    await expect(readConfigFile(directory)).rejects.toThrow(ConfigError)
    await expect(readConfigFile(directory)).rejects.toThrow(sentence)
  })
})
