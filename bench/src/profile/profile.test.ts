import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { type CpuProfile, instantUs, ownTimes, readProfile } from './profile.ts'

const groupUrl = pathToFileURL(resolve(import.meta.dirname, '../../../packages/engine/src/group.ts')).href

const node = (id: number, functionName: string, url = '', lineNumber = -1) => ({
  id,
  callFrame: { functionName, url, lineNumber },
})

const profile: CpuProfile = {
  startTime: 1_000,
  nodes: [
    node(1, '(root)'),
    node(2, 'decide', groupUrl, 9),
    node(3, '(idle)'),
    node(4, '', 'node:internal/timers', 0),
    node(5, 'decide', groupUrl, 9),
    node(6, 'parse', 'file:///somewhere/node_modules/.pnpm/x@1/node_modules/x/lib/parse.js', 4),
  ],
  // decide 4 ms, idle 10 ms, decide (called from elsewhere) 2 ms, anonymous 1 ms, parse 3 ms.
  samples: [2, 3, 5, 4, 6, 1],
  timeDeltas: [0, 4_000, 10_000, 2_000, 1_000, 3_000],
}

test('own time is summed by function, whoever called it, and idle time is left out', () => {
  expect(ownTimes(profile)).toEqual([
    { at: 'decide packages/engine/src/group.ts:10', ms: 6, percent: 60 },
    { at: 'parse x/lib/parse.js:5', ms: 3, percent: 30 },
    { at: '(anonymous) node:internal/timers:1', ms: 1, percent: 10 },
    { at: '(root)', ms: 0, percent: 0 },
  ])
})

test('a window takes the samples that began in it', () => {
  expect(ownTimes(profile, { from: 1_001, to: 17_500 })).toEqual([
    { at: 'decide packages/engine/src/group.ts:10', ms: 2, percent: expect.closeTo(66.7, 1) },
    { at: '(anonymous) node:internal/timers:1', ms: 1, percent: expect.closeTo(33.3, 1) },
  ])
})

test('a sample of an unknown node is an error', () => {
  expect(() => ownTimes({ ...profile, samples: [99] })).toThrow('node 99')
})

test('what Node writes is read, and its clock is that of this process', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'durable-workflow-profile-'))
  try {
    const from = instantUs()
    const program = 'function burn() { for (const until = Date.now() + 200; Date.now() < until; ) Math.sqrt(2) } burn()'
    const child = spawn(process.execPath, [
      '--cpu-prof',
      `--cpu-prof-dir=${folder}`,
      '--cpu-prof-name=x.cpuprofile',
      '-e',
      program,
    ])
    await once(child, 'close')
    const written = await readProfile(join(folder, 'x.cpuprofile'))
    const [heaviest] = ownTimes(written, { from, to: instantUs() })
    expect(heaviest?.at).toMatch(/^burn /)
    expect(heaviest?.ms).toBeGreaterThan(50)
    expect(ownTimes(written, { from: instantUs(), to: Number.POSITIVE_INFINITY })).toEqual([])
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})

test('a file that is no profile is refused by name', async () => {
  await expect(readProfile(join(import.meta.dirname, '../../package.json'))).rejects.toThrow(
    'package.json is no CPU profile',
  )
})
