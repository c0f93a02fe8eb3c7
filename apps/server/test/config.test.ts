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

describe('stops the start with a sentence that names it', () => {
  test.each([
    [{ DW_PROT: '1' }, 'DW_PROT is no setting of this server'],
    [{ DW_SERVER_ID: 'x' }, 'DW_SERVER_ID is no setting of this server'],
    [{ DW_PORT: '-1' }, 'DW_PORT "-1" must be a whole number from 0 to 65535.'],
    [{ DW_PORT: '65536' }, 'DW_PORT "65536" must be a whole number from 0 to 65535.'],
    [{ DW_PORT: '' }, 'DW_PORT "" must be a whole number from 0 to 65535.'],
    [{ DW_HOST: '' }, 'DW_HOST "" must name an address.'],
    [{ DW_WORKER_PROTOCOL_VERSION: '1.21' }, 'DW_WORKER_PROTOCOL_VERSION "1.21" must be 1.19 or 1.20.'],
    [{ DW_WORKFLOW_TASK_TIMEOUT: '0' }, 'DW_WORKFLOW_TASK_TIMEOUT "0" must be a whole number from 1 to 86400.'],
    [{ DW_ACTIVITY_TASK_TIMEOUT: '1.5' }, 'DW_ACTIVITY_TASK_TIMEOUT "1.5" must be a whole number from 1 to 86400.'],
    [{ DW_DATABASE_URL: 'mysql://db/x' }, 'DW_DATABASE_URL "mysql://db/x" must be sqlite:FILE'],
    [{ DW_DATABASE_URL: 'postgres://dw:secret@host:port/x' }, 'DW_DATABASE_URL must be sqlite:FILE'],
    [{ DW_NOTIFICATIONS: 'yes' }, 'DW_NOTIFICATIONS "yes" must be on or off'],
    [{ DW_LOG_LEVEL: 'loud' }, 'DW_LOG_LEVEL "loud" must be fatal'],
    [{ DW_AUTH_TOKEN: '' }, 'DW_AUTH_TOKEN must have at least 8 characters.'],
    [{ DW_AUTH_TOKEN: 'two words' }, 'DW_AUTH_TOKEN must not hold white space.'],
    [{ DW_HOST: '0.0.0.0' }, 'DW_HOST "0.0.0.0" can be reached from other machines and no token is set'],
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
