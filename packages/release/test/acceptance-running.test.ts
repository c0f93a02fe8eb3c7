// Programs of an acceptance: their lines, their ends, what they leave behind, and which files they loaded.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { leftFiles, leftProcesses, openPorts, portsOf } from '../src/acceptance/leftovers.ts'
import { loadedFiles, loadedFromElsewhere, preload } from '../src/acceptance/loaded.ts'
import { makePlace, type Place } from '../src/acceptance/place.ts'
import { killQuietly, type Running, start, Trouble } from '../src/acceptance/running.ts'
import { filled, readCell, readSuite } from '../src/acceptance/suite.ts'
import { Misused } from '../src/refusal.ts'
import { emptyCell, emptySuite } from './kit/suite.ts'

let folder = ''
let place: Place
const started: Running[] = []
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'running-')))
  place = makePlace(readSuite(emptySuite(join(folder, 'suite'))))
})
afterEach(async () => {
  for (const one of started.splice(0)) await one.kill()
  for (const { pid } of leftProcesses(place)) killQuietly(pid)
  rmSync(place.folder, { recursive: true })
  rmSync(folder, { recursive: true })
})

async function run(text: string): Promise<Running> {
  writeFileSync(join(place.consumer, 'main.mjs'), text)
  const one = await start({ name: 'it', command: [process.execPath, 'main.mjs'], cwd: place.consumer, env: place.env })
  started.push(one)
  return one
}

test('a line of JSON is heard of once it is printed, and other lines are kept', async () => {
  const one = await run(`console.log('{ no JSON'); console.error('note'); console.log('{"ready":true,"url":"u"}')`)
  expect(await one.told('ready line', ({ ready, url }) => (ready === true ? url : undefined), 10_000)).toBe('u')
  expect(await one.ended()).toBe('ended with code 0')
  expect(one.lines.toSorted()).toEqual(['err note', 'out { no JSON', 'out {"ready":true,"url":"u"}'])
})

test('who waits for a line of a program that ends hears of its end and its last words', async () => {
  const one = await run(`console.error('no database'); process.exit(3)`)
  await expect(one.told('ready line', () => undefined, 10_000)).rejects.toThrow(
    /it ended with code 3 before ready line: .*no database/,
  )
})

test('who waits too long hears what was awaited', async () => {
  const one = await run('setInterval(() => {}, 1000)')
  await expect(one.told('ready line', () => undefined, 50)).rejects.toThrow(Trouble)
})

test.each([
  [`process.on('SIGTERM', () => process.exit(0)); setInterval(() => {}, 1000); console.log('{}')`, undefined],
  [`process.on('SIGTERM', () => process.exit(4)); setInterval(() => {}, 1000); console.log('{}')`, /code 4/],
  [`process.on('SIGTERM', () => {}); setInterval(() => {}, 1000); console.log('{}')`, /did not end in 200 ms/],
])('a stop tells what was wrong with the end: %s', async (text, trouble) => {
  const one = await run(text)
  await one.told('start', (said) => said, 10_000)
  const told = await one.stop(trouble?.source.includes('200') ? 200 : 10_000)
  if (trouble === undefined) expect(told).toBeUndefined()
  else expect(told).toMatch(trouble)
  expect(one.end).toBeDefined()
})

test('P-52 a process that was left is found by its mark, with the port on which it listens', async () => {
  const one = await run(`
    import { spawn } from 'node:child_process'
    import { mkdirSync } from 'node:fs'
    mkdirSync(process.env.TMPDIR + '/left')
    const text = "require('node:net').createServer().listen(0, '127.0.0.1', function () { console.log(this.address().port) })"
    const child = spawn(process.execPath, ['-e', text], { detached: true, stdio: ['ignore', 'pipe', 'ignore'] })
    child.stdout.once('data', (port) => { console.log(JSON.stringify({ port: Number(port) })); process.exit(0) })
  `)
  const port = await one.told('port', ({ port }) => (typeof port === 'number' ? port : undefined), 10_000)
  await one.ended()
  const left = leftProcesses(place)
  expect(left.map(({ command }) => command)).toEqual([expect.stringContaining('node:net')])
  expect(left.flatMap(portsOf)).toEqual([`port ${port} (pid ${left[0]?.pid})`])
  expect(await openPorts([`http://127.0.0.1:${port}`])).toEqual([`http://127.0.0.1:${port}`])
  expect(leftFiles(place)).toEqual(['tmp/left'])
})

test('P-52 after a clean end nothing is found', async () => {
  const one = await run('')
  await one.ended()
  expect(leftProcesses(place)).toEqual([])
  expect(leftFiles(place)).toEqual([])
})

test('P-47 every file that is loaded is written down, by import and by require, also of a process that is killed', async () => {
  writeFileSync(join(folder, 'elsewhere.cjs'), 'module.exports = 1')
  writeFileSync(join(place.consumer, 'inside.mjs'), '')
  const one = await run(`
    import { createRequire } from 'node:module'
    import './inside.mjs?query'
    createRequire(import.meta.url)(${JSON.stringify(join(folder, 'elsewhere.cjs'))})
    console.log('{}')
    setInterval(() => {}, 1000)
  `)
  await one.told('start', (said) => said, 10_000)
  await one.kill()
  const lists = join(place.folder, 'loaded')
  expect(loadedFiles(lists)).toEqual(
    [join(place.consumer, 'inside.mjs'), join(place.consumer, 'main.mjs'), join(folder, 'elsewhere.cjs')].toSorted(),
  )
  expect(loadedFromElsewhere(place.consumer, lists)).toEqual([expect.stringMatching(/^\.\..*elsewhere\.cjs$/)])
})

test('P-47 what begins like the folder is not in it', () => {
  const lists = join(folder, 'lists')
  mkdirSync(lists)
  writeFileSync(join(lists, '1.txt'), `${pathToFileURL('/a/consumer2/x.js').href}\n`)
  expect(loadedFromElsewhere('/a/consumer', lists)).toEqual(['../consumer2/x.js'])
  expect(preload(lists)).toContain(JSON.stringify(`${lists}/`))
})

test('a word of the suite that stands for nothing is refused', () => {
  expect(filled('{a}:{b}', { a: '1', b: '2' })).toBe('1:2')
  expect(() => filled('{c}', { a: '1' })).toThrow(Misused)
})

test.each([
  ['no suite', (suite: string) => rmSync(join(suite, 'suite.json'))],
  ['a suite that is no JSON', (suite: string) => writeFileSync(join(suite, 'suite.json'), '{')],
])('%s is a wrong command line', (_, spoil) => {
  const suite = join(folder, 'suite')
  spoil(suite)
  expect(() => readSuite(suite)).toThrow(Misused)
})

test('a cell is a file: another one needs no code', () => {
  const suite = readSuite(join(folder, 'suite'))
  mkdirSync(join(suite.folder, 'cells'))
  const steps = [{ do: 'start', as: 'run', workflow: 'any', input: { at: [1, null] } }]
  writeFileSync(join(suite.folder, 'cells/deadline.json'), JSON.stringify({ ...emptyCell, steps }))
  expect(readCell(suite, 'deadline')).toMatchObject({ id: 'deadline', steps })
  expect(() => readCell(suite, 'gone')).toThrow(Misused)
  expect(readSuite(suite.folder).treeSha256, 'the digest of the suite has its cells').not.toBe(suite.treeSha256)
})
