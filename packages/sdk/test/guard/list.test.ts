// The closed list itself: every function of it that this Node has throws inside, is untouched outside, and comes back.
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { describe, expect, it, test } from 'vitest'
import { type GuardContext, installGuard } from '../../src/guard/guard.ts'
import { answered, refused, remedies } from '../../src/guard/list.ts'
import { GuardError, workflow } from '../../src/index.ts'
import { history, openReplay } from '../replay/history.ts'

const context: GuardContext = { now: () => 86_400_000, random: () => 0.25, uuid: () => 'the-uuid' }

type Callable = (...args: readonly unknown[]) => unknown
interface Entry {
  readonly name: string
  readonly owner: object
  readonly key: string
  readonly remedy: string
}

function isObject(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function'
}
function isCallable(value: unknown): value is Callable {
  return typeof value === 'function'
}

/** What of the list this Node has. */
const present: readonly Entry[] = refused.flatMap(({ name, owner, keys, remedy }) => {
  const found = owner()
  if (!isObject(found)) return []
  return keys
    .filter((key) => isCallable(Reflect.get(found, key)))
    .map((key) => ({ name: `${name}${key}`, owner: found, key, remedy: remedies[remedy] }))
})

const read = ({ owner, key }: Entry): Callable => {
  const found: unknown = Reflect.get(owner, key)
  if (!isCallable(found)) throw new Error(`${key} is no function`)
  return found
}

/** Calls a function that never does what it is named after: something else stands in its place while the guard is installed. */
function withStandIn(entry: Entry, use: (call: () => unknown) => void): void {
  const { owner, key } = entry
  const usual = Object.getOwnPropertyDescriptor(owner, key)
  if (usual === undefined) throw new Error(`${entry.name} is inherited; the list must name its owner`)
  Object.defineProperty(owner, key, { ...usual, value: (...args: readonly unknown[]) => ['stand-in', ...args] })
  try {
    const guard = installGuard()
    try {
      use(() => read(entry)('given'))
    } finally {
      guard.uninstall()
    }
    expect(read(entry)('after')).toEqual(['stand-in', 'after'])
  } finally {
    Object.defineProperty(owner, key, usual)
  }
}

test('the list names nothing twice, and this Node has most of it', () => {
  const all = refused.flatMap(({ owner, name, keys }) => keys.map((key) => [owner(), `${name}${key}`] as const))
  for (const [index, [owner, name]] of all.entries()) {
    expect(all.findIndex(([other, same]) => same === name && other === owner)).toBe(index)
  }
  expect(present.length).toBeGreaterThan(250)
})

describe.each(present)('$name', (entry) => {
  it('throws inside, with place and remedy; outside it is what it was', () => {
    withStandIn(entry, (call) => {
      const guard = installGuard()
      let thrown: unknown
      try {
        guard.enter(context, call)
      } catch (error) {
        thrown = error
      }
      guard.uninstall()
      expect(call()).toEqual(['stand-in', 'given'])
      expect(GuardError.is(thrown)).toBe(true)
      expect(thrown).toMatchObject({
        reason: 'not_deterministic',
        facts: { call: entry.name, place: expect.stringMatching(/list\.test\.ts:\d+:\d+$/) },
        remedy: entry.remedy,
      })
    })
  })
})

test('uninstalling restores the very functions', () => {
  const before = present.map(read)
  const guard = installGuard()
  const during = present.map(read)
  guard.uninstall()
  expect(present.filter((entry, index) => read(entry) !== before[index]).map(({ name }) => name)).toEqual([])
  expect(present.filter((_, index) => during[index] === before[index]).map(({ name }) => name)).toEqual([])
})

describe('what has another answer inside', () => {
  const calls: Readonly<Record<string, () => unknown>> = {
    'new Date()': () => new Date().toISOString(),
    'Date()': () => Date(),
    'Date.now()': () => Date.now(),
    'performance.now()': () => performance.now(),
    'performance.timeOrigin': () => performance.timeOrigin,
    'Intl.DateTimeFormat().format()': () => {
      const utc = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', year: 'numeric' })
      return [utc.format(), utc.formatToParts().length, utc.format(0)]
    },
    'Math.random()': () => Math.random(),
    'crypto.randomUUID()': () => [crypto.randomUUID(), process.getBuiltinModule('node:crypto').randomUUID()],
    'process.nextTick(fn)': () => process.nextTick.name,
  }
  const expected: Readonly<Record<string, unknown>> = {
    'new Date()': '1970-01-02T00:00:00.000Z',
    'Date()': new Date(86_400_000).toString(),
    'Date.now()': 86_400_000,
    'performance.now()': 86_400_000,
    'performance.timeOrigin': 0,
    'Intl.DateTimeFormat().format()': ['1970', 1, '1970'],
    'Math.random()': 0.25,
    'crypto.randomUUID()': ['the-uuid', 'the-uuid'],
    'process.nextTick(fn)': 'nextTick',
  }

  it.each(answered.map(({ name }) => name))('%s', (name) => {
    const call = calls[name]
    if (call === undefined) throw new Error(`nothing calls ${name}`)
    const guard = installGuard()
    try {
      expect(guard.enter(context, call)).toEqual(expected[name])
      if (name !== 'process.nextTick(fn)') expect(call()).not.toEqual(expected[name])
    } finally {
      guard.uninstall()
    }
  })
})

test('what util.promisify makes of a function throws, too', async () => {
  const guard = installGuard()
  expect(() => guard.enter(context, () => promisify(setTimeout)(1))).toThrow('setTimeout was called by workflow code')
  expect(await promisify(setTimeout)(0, 'outside')).toBe('outside')
  guard.uninstall()
})

test('code that waits for process.nextTick goes on within the same event, as code that waits for a microtask', async () => {
  const guard = installGuard()
  const seen: string[] = []
  const tick = () => new Promise<void>((resolve) => process.nextTick(resolve))
  const flow = workflow('ticking', {}, async (ctx) => {
    for (let index = 0; index < 5; index += 1) {
      await tick()
      await null
      seen.push(`turn ${index}`)
    }
    await ctx.sleep('1s')
  })
  const opened: ReturnType<typeof openReplay> = openReplay(flow, {
    // As a worker waits: until the next tick, by which every microtask has run.
    drain: () => new Promise((resolve) => void process.nextTick(resolve)),
    enter: (fn) => guard.enter(opened.replay, fn),
  })
  const { commands } = await opened.replay.step(history(), {})
  guard.uninstall()
  expect(seen).toHaveLength(5)
  expect(commands).toMatchObject([{ type: 'start_timer' }])
})

describe('docs/determinism.md', () => {
  const page = readFileSync(new URL('../../../../docs/determinism.md', import.meta.url), 'utf8')
  const cells = (keys: readonly string[]) => keys.map((key) => `\`${key}\``).join(', ')

  it('shows what has another answer, as the list has it', () => {
    const rows = answered.map(({ name, value }) => `| \`${name}\` | ${value} |`)
    expect(tableUnder(page, '| in workflow code | what it gives |')).toEqual(rows)
  })

  it('shows what throws, as the list has it', () => {
    const rows = refused.map(({ name, keys, remedy }) => {
      const where = name === '' ? 'globals' : `\`${name.replace(/\.$/, '')}\``
      return `| ${where} | ${cells(keys)} | ${remedies[remedy]} |`
    })
    expect(tableUnder(page, '| of | what throws | instead |')).toEqual(rows)
  })
})

/** The rows of the table with this head; spaces that align columns do not count. */
function tableUnder(page: string, head: string): readonly string[] {
  const lines = page.split('\n').map((line) => line.replace(/\s+\|/g, ' |').replace(/\|\s+/g, '| ').trim())
  const from = lines.indexOf(head) + 2
  const to = lines.findIndex((line, index) => index >= from && !line.startsWith('|'))
  return lines.slice(from, to)
}
