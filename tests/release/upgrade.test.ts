// P-85: what the set before left is taken over, an SDK of the set before works with the new server, and who speaks another major
// version of the protocol is refused.
//
// There is no earlier public release yet: the set before is this one under a lower version, packed from the accepted tarballs. What
// is shown is the path of an upgrade (two installations, one data folder), not that two different codes get along.
import { execFile } from 'node:child_process'
import { cp, mkdtemp, readdir, readFile, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { protocolHeaders } from '@durable-workflow/protocol'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { z } from 'zod'
import { openEvidence } from '../../packages/release/src/index.ts'
import { root } from '../../scripts/published.ts'
import { elsewhere, type Loaded, runInstalled, startInstalled } from '../packed/consumer.ts'
import { install } from '../packed/install.ts'
import { jsonClient } from '../support/http.ts'

const rehearsed = inject('rehearsed')
const evidence = 'missing' in rehearsed ? '' : rehearsed.evidence
const title = 'missing' in rehearsed ? `an upgrade (needs a package registry: ${rehearsed.missing})` : 'an upgrade'
const Manifest = z.object({ version: z.string() })

describe.skipIf(evidence === '')(title, () => {
  let workshop = ''
  /** Where each set is installed. */
  const folders = { before: '', after: '' }
  const started: Loaded[] = []

  beforeAll(async () => {
    workshop = await realpath(await mkdtemp(join(tmpdir(), 'upgrade-')))
    const { version } = openEvidence(evidence).manifest
    const accepted = join(evidence, 'tarballs')
    const earlier = join(workshop, 'earlier')
    await promisify(execFile)(process.execPath, [
      join(root, 'tests/acceptance/predecessor.ts'),
      accepted,
      earlier,
      version,
    ])
    for (const [side, tarballs] of [
      ['before', earlier],
      ['after', accepted],
    ] as const) {
      folders[side] = join(workshop, side)
      const installed = await install(await tarballsIn(tarballs), folders[side])
      if ('missing' in installed) throw new Error(`the ${side} set cannot be installed: ${installed.missing}`)
      await cp(join(root, 'tests/packed/programs'), folders[side], { recursive: true })
    }
  }, 180_000)
  afterAll(async () => {
    for (const { program } of started) await program.kill()
    await rm(workshop, { recursive: true })
  })

  async function tarballsIn(folder: string) {
    const files = await readdir(folder)
    return openEvidence(evidence).manifest.packages.map(({ name, version }) => {
      const file = files.find((one) => one.startsWith(`${name.slice(1).replace('/', '-')}-${version.split('-')[0]}`))
      if (file === undefined) throw new Error(`${folder} has no tarball of ${name}`)
      return { name, version, file: join(folder, file), files: [], bytes: 0, sha256: '' }
    })
  }

  async function begin(...start: Parameters<typeof startInstalled>): Promise<Loaded> {
    const loaded = await startInstalled(...start)
    started.push(loaded)
    return loaded
  }

  async function serve(folder: string, data: string, port = '0') {
    const args = ['--port', port, '--database-url', `sqlite:${join(workshop, data)}`, '--log-level', 'error'] as const
    const server = await begin(folder, ['durable-workflow-server', ...args])
    const url = await server.program.waitForJson('its ready line', ({ ready, url: told }) =>
      ready === true && typeof told === 'string' ? told : undefined,
    )
    return { server, url }
  }

  const versionIn = async (folder: string, name: string): Promise<string> =>
    Manifest.parse(JSON.parse(await readFile(join(folder, 'node_modules', name, 'package.json'), 'utf8'))).version

  /** A run of the set before: two steps are recorded, and it waits. Its worker and its server go on. */
  async function halfDone(data: string) {
    const { server, url } = await serve(folders.before, data)
    const env = { DURABLE_WORKFLOW_SERVER_URL: url }
    const worker = await begin(folders.before, ['node', 'worker.ts'], env)
    const start = await runInstalled(folders.before, ['node', 'client.ts', 'start'], env)
    expect(start.code, start.errors.join('\n')).toBe(0)
    await worker.program.waitForJson('its second step', ({ marked }) => (marked === 'second' ? marked : undefined))
    return { server, worker, env, port: new URL(url).port }
  }

  const done = [JSON.stringify({ result: ['FIRST', 'SECOND', 'Ada'] })]

  test('P-85 a data folder that the set before wrote is served by the new server, worker and client', async () => {
    for (const name of ['@durable-workflow/sdk', '@durable-workflow/server-app']) {
      expect(await versionIn(folders.before, name)).not.toBe(await versionIn(folders.after, name))
    }
    const { server, worker } = await halfDone('taken-over.db')
    expect(await worker.program.stop()).toEqual({ code: 0, signal: null })
    expect(await server.program.stop()).toEqual({ code: 0, signal: null })
    const now = await serve(folders.after, 'taken-over.db')
    const env = { DURABLE_WORKFLOW_SERVER_URL: now.url }
    const newWorker = await begin(folders.after, ['node', 'worker.ts'], env)
    const finish = await runInstalled(folders.after, ['node', 'client.ts', 'finish'], env)
    expect(finish.lines, finish.errors.join('\n')).toEqual(done)
    expect(newWorker.program.stdout, 'steps that were recorded are not repeated').toEqual([])
    await newWorker.program.stop()
    await now.server.program.stop()
    for (const one of [newWorker, now.server]) expect(elsewhere(folders.after, await one.files())).toEqual([])
  })

  test('P-85 the SDK of the set before goes on with the new server, inside of the declared range', async () => {
    const { server, worker, env, port } = await halfDone('mixed.db')
    await server.program.stop()
    const now = await serve(folders.after, 'mixed.db', port)
    const finish = await runInstalled(folders.before, ['node', 'client.ts', 'finish'], env)
    expect(finish.lines, finish.errors.join('\n')).toEqual(done)
    expect(worker.program.exit, 'the worker outlived the change of the server').toBeUndefined()
    await worker.program.stop()
    await now.server.program.stop()
    expect(elsewhere(folders.before, await worker.files())).toEqual([])
    expect(elsewhere(folders.after, await now.server.files())).toEqual([])
  })

  test('P-85 outside of it, a worker or a client of another major version of the protocol is refused', async () => {
    const { server, url } = await serve(folders.after, 'refusing.db')
    const client = jsonClient({ url })
    try {
      const body = { worker_id: 'later', task_queue: 'packed', runtime: 'typescript' }
      const worker = await client.worker('POST', '/register', body, {
        headers: { [protocolHeaders.workerProtocolVersion]: '2.0' },
      })
      expect(worker, worker.text).toMatchObject({ status: 400, body: { reason: 'unsupported_protocol_version' } })
      const operator = await client.control('GET', '/workflows', undefined, {
        headers: { [protocolHeaders.controlPlaneVersion]: '3' },
      })
      expect(operator, operator.text).toMatchObject({
        status: 400,
        body: { reason: 'unsupported_control_plane_version' },
      })
    } finally {
      await client.close()
      await server.program.stop()
    }
  })
})
