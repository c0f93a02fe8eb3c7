// The determinism guard: inside workflow code the world is deterministic or says no; outside nothing is touched.
//
// Owns:      the async context that marks workflow code, and the wrappers around the globals and built-in modules below.
// Does not:  know a run, a history or a call. It is handed three functions.
//
// Inside workflow code (closed list):
//   deterministic   new Date(), Date(), Date.now(), performance.now(), Math.random(), crypto.randomUUID()
//   throws          setTimeout, setInterval, setImmediate and their node:timers and node:timers/promises forms,
//                   AbortSignal.timeout, fetch, WebSocket, EventSource, process.hrtime, process.kill, process.exit,
//                   crypto.getRandomValues, the random functions of node:crypto, opening files (node:fs, node:fs/promises),
//                   processes (node:child_process), network (node:net, node:tls, node:dgram, node:dns, node:http, node:https,
//                   node:http2), workers (node:worker_threads, node:cluster)
//   reported        rejections that nobody handles: to the run's log, not to the process
//   untouched       Promise, queueMicrotask, process.nextTick, console, structuredClone, Intl, env, timers cleared or unref'd
//
// What cannot be caught: a function that was taken from its object before the guard was installed (`const { readFile } = fs`
// in a CommonJS module loaded earlier), native addons, WebAssembly imports, work handed to code that left the async context
// (an event emitter or a queue that existed before), memory shared between runs (module-level variables), and the order of
// locale-dependent functions. Tests with replay find those: see NonDeterminismError.
import { AsyncLocalStorage } from 'node:async_hooks'
import { syncBuiltinESMExports } from 'node:module'
import { GuardError } from '../authoring/failure.ts'
import { placeOfCaller } from '../authoring/place.ts'

/** What workflow code gets instead of clock and chance. */
export interface GuardContext {
  /** Epoch ms. */
  now(): number
  /** From 0 up to but not including 1. */
  random(): number
  uuid(): string
  /** Hears of a rejection in its workflow code that nobody handles; left out: nobody is told. */
  unhandled?(error: unknown): void
}

export interface Guard {
  /** Runs `fn`, and everything asynchronous it sets off, as workflow code of `context`. */
  enter<T>(context: GuardContext, fn: () => T): T
  /** Runs `fn` as ordinary code, also when workflow code calls it: for loggers and interceptors, which need the real clock. */
  outside<T>(fn: () => T): T
  /** The context of the calling code; undefined outside of workflow code. */
  current(): GuardContext | undefined
  /** Gives up this installation; the last one restores every wrapped function. */
  uninstall(): void
}

type Callable = (...args: never[]) => unknown
type Constructor = Parameters<typeof Reflect.construct>[2]

interface Installation {
  readonly storage: AsyncLocalStorage<GuardContext>
  users: number
  readonly restore: () => void
}

const registry = Symbol.for('durable-workflow.guard')

const remedies = {
  timer: 'Use ctx.sleep, or the timeout of ctx.waitFor and ctx.condition.',
  clock: 'Use ctx.now().',
  chance: 'Use ctx.random() or ctx.uuid().',
  world: 'Do it in an activity and await ctx.run(activity, input).',
} as const

/**
 * Installs the guard for this process; several installations share one set of wrappers, also across copies of the package.
 *
 * @example
 * const guard = installGuard()
 * guard.enter(replay, () => workflow.fn(ctx, input))
 */
export function installGuard(): Guard {
  const installation = installed() ?? install()
  installation.users += 1
  let isInstalled = true
  return {
    enter: (context, fn) => installation.storage.run(context, fn),
    outside: (fn) => installation.storage.exit(fn),
    current: () => installation.storage.getStore(),
    uninstall() {
      if (!isInstalled) return
      isInstalled = false
      installation.users -= 1
      if (installation.users > 0) return
      installation.restore()
      Reflect.deleteProperty(globalThis, registry)
    },
  }
}

function installed(): Installation | undefined {
  const found: unknown = Reflect.get(globalThis, registry)
  return isInstallation(found) ? found : undefined
}

function isInstallation(value: unknown): value is Installation {
  return typeof value === 'object' && value !== null && 'storage' in value && 'users' in value && 'restore' in value
}

function install(): Installation {
  const storage = new AsyncLocalStorage<GuardContext>()
  const undo: (() => void)[] = []
  const replace = (owner: object, key: string, make: (original: Callable) => unknown) => {
    const descriptor = Object.getOwnPropertyDescriptor(owner, key)
    const original: unknown = descriptor?.value
    // Absent on this runtime, or not ours to change.
    if (descriptor === undefined || !isCallable(original) || !descriptor.configurable) return
    Object.defineProperty(owner, key, { ...descriptor, value: make(original) })
    undo.push(() => Object.defineProperty(owner, key, descriptor))
  }
  const answer = (owner: object, key: string, inside: (context: GuardContext) => unknown) =>
    replace(owner, key, (original) => answering(storage, original, inside))
  const forbid = (owner: object, name: string, keys: readonly string[], remedy: string) => {
    for (const key of keys) replace(owner, key, (original) => forbidding(storage, original, `${name}${key}`, remedy))
  }

  const date: unknown = globalThis.Date
  replace(globalThis, 'Date', (original) => dateOf(storage, original))
  // `new Date().constructor === Date` must stay true for everybody.
  if (date !== globalThis.Date) replace(Date.prototype, 'constructor', () => globalThis.Date)
  answer(Math, 'random', (context) => context.random())
  answer(Object.getPrototypeOf(globalThis.performance), 'now', (context) => context.now())
  answer(Object.getPrototypeOf(globalThis.crypto), 'randomUUID', (context) => context.uuid())
  forbid(Object.getPrototypeOf(globalThis.crypto), 'crypto.', ['getRandomValues'], remedies.chance)
  forbid(globalThis, '', ['setTimeout', 'setInterval', 'setImmediate'], remedies.timer)
  forbid(AbortSignal, 'AbortSignal.', ['timeout'], remedies.timer)
  forbid(globalThis, '', ['fetch', 'WebSocket', 'EventSource'], remedies.world)
  forbid(process.hrtime, 'process.hrtime.', ['bigint'], remedies.clock)
  forbid(process, 'process.', ['hrtime'], remedies.clock)
  forbid(process, 'process.', ['kill', 'exit', 'abort', 'chdir'], remedies.world)
  guardModules(answer, forbid)
  syncBuiltinESMExports()

  // Node tells it in the context of the rejected promise. One branch that nobody awaits must not end a worker with all its runs.
  const onUnhandled = (error: unknown) => {
    const context = storage.getStore()
    if (context !== undefined) storage.exit(() => context.unhandled?.(error))
    // Ours is the only listener: without it Node would have thrown.
    else if (process.listenerCount('unhandledRejection') === 1) throw error
  }
  process.on('unhandledRejection', onUnhandled)
  undo.push(() => process.off('unhandledRejection', onUnhandled))

  const restore = () => {
    for (const step of undo.reverse()) step()
    syncBuiltinESMExports()
  }
  const installation: Installation = { storage, users: 0, restore }
  Reflect.set(globalThis, registry, installation)
  return installation
}

type Answer = (owner: object, key: string, inside: (context: GuardContext) => unknown) => void
type Forbid = (owner: object, name: string, keys: readonly string[], remedy: string) => void

// Opening is what is refused, not reading from what is open: console writes to files and pipes through these modules.
const files = [
  'access',
  'appendFile',
  'chmod',
  'copyFile',
  'cp',
  'lstat',
  'mkdir',
  'mkdtemp',
  'open',
  'opendir',
  'readFile',
  'readdir',
  'readlink',
  'realpath',
  'rename',
  'rm',
  'rmdir',
  'stat',
  'symlink',
  'truncate',
  'unlink',
  'utimes',
  'watch',
  'writeFile',
] as const

const modules: readonly { readonly id: string; readonly keys: readonly string[]; readonly remedy: string }[] = [
  { id: 'timers', keys: ['setTimeout', 'setInterval', 'setImmediate'], remedy: remedies.timer },
  { id: 'timers/promises', keys: ['setTimeout', 'setInterval', 'setImmediate'], remedy: remedies.timer },
  {
    id: 'crypto',
    keys: [
      'getRandomValues',
      'randomBytes',
      'randomInt',
      'randomFill',
      'randomFillSync',
      'generateKeyPair',
      'generateKeyPairSync',
    ],
    remedy: remedies.chance,
  },
  {
    id: 'fs',
    keys: [
      ...files,
      ...files.map((name) => `${name}Sync`),
      'existsSync',
      'createReadStream',
      'createWriteStream',
      'watchFile',
    ],
    remedy: remedies.world,
  },
  { id: 'fs/promises', keys: files, remedy: remedies.world },
  {
    id: 'child_process',
    keys: ['exec', 'execFile', 'execFileSync', 'execSync', 'fork', 'spawn', 'spawnSync'],
    remedy: remedies.world,
  },
  { id: 'net', keys: ['connect', 'createConnection', 'createServer'], remedy: remedies.world },
  { id: 'tls', keys: ['connect', 'createServer'], remedy: remedies.world },
  { id: 'dgram', keys: ['createSocket'], remedy: remedies.world },
  { id: 'dns', keys: ['lookup', 'resolve', 'resolve4', 'resolve6', 'reverse'], remedy: remedies.world },
  { id: 'dns/promises', keys: ['lookup', 'resolve', 'resolve4', 'resolve6', 'reverse'], remedy: remedies.world },
  { id: 'http', keys: ['request', 'get', 'createServer'], remedy: remedies.world },
  { id: 'https', keys: ['request', 'get', 'createServer'], remedy: remedies.world },
  { id: 'http2', keys: ['connect', 'createServer', 'createSecureServer'], remedy: remedies.world },
  { id: 'worker_threads', keys: ['Worker'], remedy: remedies.world },
  { id: 'cluster', keys: ['fork'], remedy: remedies.world },
]

// The one object that every importer of a built-in module shares.
function guardModules(answer: Answer, forbid: Forbid): void {
  for (const { id, keys, remedy } of modules) {
    const exports = process.getBuiltinModule(`node:${id}`)
    if (exports !== undefined) forbid(exports, `${id}.`, keys, remedy)
  }
  answer(process.getBuiltinModule('node:crypto'), 'randomUUID', (context) => context.uuid())
}

function isCallable(value: unknown): value is Callable {
  return typeof value === 'function'
}

// A proxy keeps name, length, promisify and static members of what it wraps.
function answering(
  storage: AsyncLocalStorage<GuardContext>,
  original: Callable,
  inside: (context: GuardContext) => unknown,
): unknown {
  return new Proxy(original, {
    apply(target, self, args) {
      const context = storage.getStore()
      return context === undefined ? Reflect.apply(target, self, args) : inside(context)
    },
  })
}

function forbidding(
  storage: AsyncLocalStorage<GuardContext>,
  original: Callable,
  name: string,
  remedy: string,
): unknown {
  const wrapper: ProxyHandler<Callable> = {
    apply(target, self, args) {
      if (storage.getStore() !== undefined) throw refusal(name, remedy, trap('apply'))
      return Reflect.apply(target, self, args)
    },
    construct(target, args, newTarget) {
      if (storage.getStore() !== undefined) throw refusal(name, remedy, trap('construct'))
      return constructed(target, args, newTarget)
    },
  }
  const trap = (key: 'apply' | 'construct'): Callable => wrapper[key] ?? original
  return new Proxy(original, wrapper)
}

function dateOf(storage: AsyncLocalStorage<GuardContext>, original: Callable): unknown {
  const now = answering(storage, Date.now, (context) => context.now())
  return new Proxy(original, {
    apply(target, self, args) {
      const context = storage.getStore()
      return context === undefined
        ? Reflect.apply(target, self, args)
        : String(constructed(target, [context.now()], target))
    },
    construct(target, args, newTarget) {
      const context = args.length === 0 ? storage.getStore() : undefined
      return constructed(target, context === undefined ? args : [context.now()], newTarget)
    },
    get: (target, key, receiver) => (key === 'now' ? now : Reflect.get(target, key, receiver)),
  })
}

function constructed(target: Callable, args: readonly unknown[], newTarget: Constructor): object {
  return Reflect.construct(target, args, newTarget)
}

function refusal(name: string, remedy: string, trap: Callable): GuardError {
  const place = placeOfCaller(trap).location()
  return new GuardError(
    `${name} was called by workflow code${place === undefined ? '' : ` at ${place}`}; its effect would not replay. ${remedy}`,
    {
      reason: 'not_deterministic',
      facts: { call: name, place },
      remedy,
    },
  )
}
