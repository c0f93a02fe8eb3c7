// P-47 to P-54 with installed packages: `rel accept` as a process, each time with one thing different.
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtemp, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, inject, test } from 'vitest'
import { root } from '../../scripts/published.ts'
import { type Difference, edit, tryAcceptance } from './trial.ts'

const rehearsed = inject('rehearsed')
const evidence = 'missing' in rehearsed ? '' : rehearsed.evidence
const title = 'missing' in rehearsed ? `acceptance (needs a package registry: ${rehearsed.missing})` : 'acceptance'
const run = promisify(execFile)
const worker = (suite: string) => join(suite, 'programs/worker.ts')
/** Goes before the first line that the worker runs by itself. */
const begin = 'const startedAt = '
const canary = 'canary7Zq2vT9mK4xW'

const refusals: readonly (readonly [string, string, Difference, Readonly<Record<string, unknown>>])[] = [
  [
    'P-47 a package that the consumer needs is linked to the checkout',
    'path_dependency_detected',
    {
      suite: async (suite) => {
        const zod = await realpath(dirname(createRequire(import.meta.url).resolve('zod/package.json')))
        await edit(join(suite, 'suite.json'), '"zod": "4.6.7"', `"zod": "file:${zod}"`)
      },
    },
    { loaded: expect.arrayContaining([expect.stringMatching(/node_modules.*zod/)]) },
  ],
  [
    'P-47 a package of the set is replaced by a link to the checkout',
    'path_dependency_detected',
    {
      suite: (suite) =>
        edit(
          join(suite, 'programs/database.ts'),
          'console.log(',
          `const { symlinkSync } = await import('node:fs')
const place = 'node_modules/@durable-workflow/testing'
rmSync(place, { recursive: true })
symlinkSync(${JSON.stringify(join(root, 'packages/testing'))}, place)
console.log(`,
        ),
    },
    { name: '@durable-workflow/testing', realPath: expect.stringMatching(/packages\/testing$/) },
  ],
  [
    'P-48 an installed file is edited while the cells run',
    'installed_bytes_changed',
    {
      suite: (suite) =>
        edit(
          worker(suite),
          begin,
          `const { appendFileSync } = await import('node:fs')
appendFileSync('node_modules/@durable-workflow/sdk/README.md', ' ')
${begin}`,
        ),
    },
    { name: '@durable-workflow/sdk' },
  ],
  [
    'P-49 a supervisor starts the worker anew between the cells, which all pass',
    'worker_restarted',
    {
      acceptance: { cells: ['activity', 'start'] },
      suite: async (suite) => {
        await edit(join(suite, 'suite.json'), '"programs/worker.ts"', '"programs/supervisor.mjs"')
        await writeFile(join(suite, 'programs/supervisor.mjs'), supervisor)
      },
    },
    { database: 'sqlite' },
  ],
  [
    'P-50 a cell of the policy is left out',
    'acceptance_cell_missing',
    { acceptance: { cells: ['start', 'timer'] }, words: ['--cell', 'start'] },
    { cell: 'timer', database: 'sqlite' },
  ],
  [
    'P-50 a database of the policy is not there',
    'acceptance_cell_blocked',
    { acceptance: { databases: ['sqlite', 'postgres'] } },
    { cell: 'start', database: 'postgres' },
  ],
  [
    'P-51 the version is right, the bytes are of another build',
    'executed_identity_mismatch',
    { evidence: async (folder, packages) => await anotherBuild(folder, packages) },
    { name: '@durable-workflow/codec' },
  ],
  [
    'P-52 the worker leaves a process that listens, and a folder',
    'cleanup_incomplete',
    { suite: (suite) => edit(worker(suite), begin, `${leaving}${begin}`) },
    { kind: 'processes' },
  ],
  [
    'P-53 the predecessor passes the probe: it is the same code under a lower version',
    'probe_proves_nothing',
    { suite: (suite) => edit(join(suite, 'suite.json'), ', "worker-dies-on-receipt"', '') },
    { probe: 'worker-survives-receipt' },
  ],
  [
    'P-54 a cell fails with secrets in the last words of the worker',
    'acceptance_failed',
    {
      env: { DEPLOY_TOKEN: canary },
      acceptance: { cells: ['activity'] },
      suite: (suite) => edit(worker(suite), 'return step\n', `${leaking}return step\n`),
    },
    { database: 'sqlite', trouble: expect.stringContaining('[redacted]') },
  ],
]

describe.skipIf(evidence === '')(title, { concurrent: true, timeout: 170_000 }, () => {
  test('P-53 with nothing different but a new cell, a file, it passes: the broken predecessor fails the probe, the release passes it', async () => {
    const { exit, details, told } = await tryAcceptance(evidence, {
      acceptance: { cells: ['start', 'cancelled-while-waiting'] },
      suite: (suite) => writeFile(join(suite, 'cells/cancelled-while-waiting.json'), JSON.stringify(newCell)),
    })
    expect(exit, told).toBe(0)
    expect(details?.cells).toMatchObject([
      { id: 'start', result: 'passed', assertions: 4 },
      { id: 'cancelled-while-waiting', result: 'passed', assertions: 3 },
    ])
    expect(details?.probe).toMatchObject({ before: { result: 'failed' }, after: { result: 'passed' } })
    expect(details?.probe.before.treeSha256).not.toBe(details?.probe.after.treeSha256)
    expect(details?.cleanup).toEqual({ processes: [], ports: [], folders: [], rows: [] })
    expect(details?.executed.every(({ realPath }) => realPath.startsWith('node_modules/'))).toBe(true)
  })

  test.each(refusals)('%s → %s', async (name, code, difference, facts) => {
    const ended = await tryAcceptance(evidence, difference)
    expect(ended, ended.told).toMatchObject({ exit: 10, code, facts })
    if (name.startsWith('P-49')) expect(ended.details?.cells.every(({ result }) => result === 'passed')).toBe(true)
    if (name.startsWith('P-52')) {
      expect(ended.details?.cleanup).toMatchObject({
        processes: expect.arrayContaining([expect.stringContaining('left-behind')]),
        ports: expect.arrayContaining([expect.stringMatching(/^port \d+/)]),
        folders: ['tmp/left-behind'],
      })
    }
    if (name.startsWith('P-54')) {
      const texts = [...ended.texts.values()].join('\n')
      expect(texts).toContain('[redacted]')
      for (const [file, text] of ended.texts) expect(text, file).not.toContain(canary)
      expect(ended.told).not.toContain(canary)
    }
  })
})

/** Existing workflows and steps only: a cell is a file and a line in the policy. */
const newCell = {
  schema: 'durable-workflow.release/cell/v1',
  says: 'A waiting run is cancelled, and the worker works on.',
  deadlineMs: 15_000,
  rounds: 1,
  steps: [
    { do: 'start', as: 'run', workflow: 'signalled' },
    { do: 'waitFor', run: 'run', status: 'waiting' },
    { do: 'cancel', run: 'run' },
    { do: 'expect', run: 'run', status: 'cancelled' },
    { do: 'sameWorker' },
  ],
}

const supervisor = `
import { spawn } from 'node:child_process'
import { existsSync, readFileSync, watch } from 'node:fs'
let ending = false
let restarted = false
const begin = () => {
  const child = spawn(process.execPath, ['programs/worker.ts'], { stdio: 'inherit' })
  child.on('exit', (code) => (ending ? process.exit(code ?? 1) : (worker = begin())))
  return child
}
let worker = begin()
process.on('SIGTERM', () => {
  ending = true
  worker.kill('SIGTERM')
})
const file = process.env.WORK_FOLDER + '/effects.jsonl'
watch(process.env.WORK_FOLDER, () => {
  if (restarted || !existsSync(file) || !readFileSync(file, 'utf8').includes('"three"')) return
  restarted = true
  worker.kill('SIGTERM')
})
`

const leaving = `const { spawn } = await import('node:child_process')
const { mkdirSync } = await import('node:fs')
mkdirSync(process.env.TMPDIR + '/left-behind', { recursive: true })
const listening = "require('node:net').createServer().listen(0, '127.0.0.1') // left-behind"
spawn(process.execPath, ['-e', listening], { detached: true, stdio: 'ignore' }).unref()
`

const leaking = `for (const secret of [
  'the token ${canary}',
  'Authorization: Bearer ${canary}-${canary}',
  '//127.0.0.1/:_authToken=${canary}x',
  'npm_${canary}',
  'postgres://somebody:${canary}y@127.0.0.1/db',
]) console.error(secret)
process.exit(1)
`

/** The codec, packed again with one file more; the manifest keeps the tree that was built, and binds the file that lies there. */
async function anotherBuild(
  folder: string,
  packages: Parameters<NonNullable<Difference['evidence']>>[1],
): Promise<void> {
  const packed = packages.find(({ name }) => name === '@durable-workflow/codec')
  if (packed === undefined) throw new Error('the set has no codec')
  const file = join(folder, 'tarballs', packed.file.name)
  const workshop = await mkdtemp(join(tmpdir(), 'build-'))
  await run('tar', ['-xzf', file, '-C', workshop])
  await writeFile(join(workshop, 'package/dist/stale.js'), 'export {}\n')
  await run('tar', ['-czf', file, '-C', workshop, 'package'])
  await rm(workshop, { recursive: true })
  Object.assign(packed.file, {
    size: (await stat(file)).size,
    sha256: createHash('sha256')
      .update(await readFile(file))
      .digest('hex'),
  })
}
