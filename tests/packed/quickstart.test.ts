// The quick start with installed packages and nothing of the repository: the server as a program, workers, a crash.
import { execFile } from 'node:child_process'
import { cp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fields } from '../../scripts/published.ts'
import { describeInstalled, elsewhere, type Loaded, runInstalled, startInstalled } from './consumer.ts'
import { consumerEnvironment } from './install.ts'
import { asCommonJs, asModule, readmeSample } from './readme-sample.ts'

const packageOfServer = 'node_modules/@durable-workflow/server-app'

describeInstalled('the quick start, installed', (folder) => {
  const started: Loaded[] = []
  let server: Loaded
  let url: string

  async function startServer(port: string): Promise<void> {
    const args = ['--port', port, '--database-url', 'sqlite:workflows.db', '--log-level', 'error'] as const
    server = await startInstalled(folder, ['durable-workflow-server', ...args])
    started.push(server)
    url = await server.program.waitForJson('its ready line', (line) =>
      line.ready === true && typeof line.url === 'string' ? line.url : undefined,
    )
  }

  beforeAll(async () => {
    await cp(join(import.meta.dirname, 'programs'), folder, { recursive: true })
    await startServer('0')
  })
  afterAll(async () => {
    for (const { program } of started) await program.kill()
  })

  test.each([
    ['mine.ts, its types stripped by Node', 'mine.ts', (sample: string) => sample],
    ['mine.mjs', 'mine.mjs', asModule],
    ['mine.cjs', 'mine.cjs', asCommonJs],
  ])('the first workflow of README.md greets as %s', async (_, file, written) => {
    await writeFile(join(folder, file), written(readmeSample(url)))
    const { code, lines, errors, files } = await runInstalled(folder, ['node', file])
    expect(lines.at(-1), errors.join('\n')).toBe('Hello, Ada!')
    expect(code).toBe(0)
    expect(files).toContain(join(folder, file))
    expect(elsewhere(folder, files)).toEqual([])
  })

  test('a run outlives a server that is killed; a step that was recorded is not repeated', async () => {
    const env = { DURABLE_WORKFLOW_SERVER_URL: url }
    const worker = await startInstalled(folder, ['node', 'worker.ts'], env)
    started.push(worker)
    const start = await runInstalled(folder, ['node', 'client.ts', 'start'], env)
    expect(start.lines, start.errors.join('\n')).toEqual([JSON.stringify({ started: 'kept' })])
    // The second step is executed only when the first is recorded.
    await worker.program.waitForJson('its second step', ({ marked }) => (marked === 'second' ? marked : undefined))
    await server.program.kill()
    await startServer(new URL(url).port)
    const finish = await runInstalled(folder, ['node', 'client.ts', 'finish'], env)
    expect(finish.lines, finish.errors.join('\n')).toEqual([JSON.stringify({ result: ['FIRST', 'SECOND', 'Ada'] })])
    const effects = (await readFile(join(folder, 'effects.txt'), 'utf8')).trim().split('\n')
    expect(effects.filter((effect) => effect === 'first')).toHaveLength(1)
    expect(await worker.program.stop()).toEqual({ code: 0, signal: null })
    expect(elsewhere(folder, await worker.files())).toEqual([])
  })

  test('check-runs finds every run of the database with a reason to move', async () => {
    const args = ['--database-url', 'sqlite:workflows.db'] as const
    const { code, lines, errors } = await runInstalled(folder, ['durable-workflow-server', 'check-runs', ...args])
    expect(lines, errors.join('\n')).toEqual([JSON.stringify({ openRuns: 0, problems: 0 })])
    expect(code).toBe(0)
  })

  test('npx finds the program; --version is that of the package', async () => {
    const manifest = fields(JSON.parse(await readFile(join(folder, packageOfServer, 'package.json'), 'utf8')))
    for (const name of ['durable-workflow-server', '@durable-workflow/server-app']) {
      const args = ['--no-install', '--offline', name, '--version']
      const { stdout } = await promisify(execFile)('npx', args, { cwd: folder, env: consumerEnvironment(folder) })
      expect(stdout.trim(), name).toBe(manifest.get('version'))
    }
  })

  test('the server stops cleanly, having loaded nothing of elsewhere', async () => {
    expect(await server.program.stop()).toEqual({ code: 0, signal: null })
    const files = await server.files()
    expect(files).toContain(join(folder, packageOfServer, 'dist/main.js'))
    expect(elsewhere(folder, files)).toEqual([])
  })
})
