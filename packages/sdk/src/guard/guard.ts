// The determinism guard: inside workflow code the world is deterministic or says no; outside nothing is touched.
//
// Owns:      the async context that marks workflow code, and the wrappers around the globals and built-in modules below.
// Does not:  know a run, a history or a call. It is handed three functions.
//
// What is on the list, and what to use instead: list.ts. Besides, a rejection in workflow code that nobody handles is told to the
// run's log, not to the process. What cannot be caught, and how it is found: docs/determinism.md.
import { AsyncLocalStorage } from 'node:async_hooks'
import { syncBuiltinESMExports } from 'node:module'
import type { GuardContext } from './context.ts'
import { refused, remedies } from './list.ts'
import { answering, type Callable, dateOf, forbidding, isCallable, nextTickOf } from './wrappers.ts'

export type { GuardContext }

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

interface Installation {
  readonly storage: AsyncLocalStorage<GuardContext>
  users: number
  readonly restore: () => void
}

const registry = Symbol.for('durable-workflow.guard')

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
  const redefine = (owner: object, key: string, change: (descriptor: PropertyDescriptor) => PropertyDescriptor) => {
    const descriptor = Object.getOwnPropertyDescriptor(owner, key)
    // Absent on this runtime, or not ours to change.
    if (descriptor?.configurable !== true) return
    Object.defineProperty(owner, key, change(descriptor))
    undo.push(() => Object.defineProperty(owner, key, descriptor))
  }
  const replace = (owner: object, key: string, make: (original: Callable) => unknown) => {
    // Some globals are made when they are first asked for.
    if (owner === globalThis) Reflect.get(owner, key)
    redefine(owner, key, (descriptor) => {
      const original: unknown = descriptor.value
      return isCallable(original) ? { ...descriptor, value: make(original) } : descriptor
    })
  }
  const answer = (owner: object, key: string, inside: Parameters<typeof answering>[2]) =>
    replace(owner, key, (original) => answering(storage, original, inside))
  const answerGetter = (owner: object, key: string, inside: (context: GuardContext, usual: unknown) => unknown) =>
    redefine(owner, key, ({ get: original, ...descriptor }) => ({
      ...descriptor,
      get(this: unknown): unknown {
        const usual: unknown = original === undefined ? undefined : Reflect.apply(original, this, [])
        const context = storage.getStore()
        return context === undefined ? usual : inside(context, usual)
      },
    }))

  const date: unknown = globalThis.Date
  replace(globalThis, 'Date', (original) => dateOf(storage, original))
  // `new Date().constructor === Date` must stay true for everybody.
  if (date !== globalThis.Date) replace(Date.prototype, 'constructor', () => globalThis.Date)
  answer(Math, 'random', (context) => context.random())
  const performance: object = Object.getPrototypeOf(globalThis.performance)
  answer(performance, 'now', (context) => context.now())
  answerGetter(performance, 'timeOrigin', () => 0)
  answer(Object.getPrototypeOf(globalThis.crypto), 'randomUUID', (context) => context.uuid())
  answer(process.getBuiltinModule('node:crypto'), 'randomUUID', (context) => context.uuid())
  const format: object = Intl.DateTimeFormat.prototype
  answerGetter(format, 'format', (context, usual) =>
    isCallable(usual) ? formatting(context, usual, undefined) : usual,
  )
  replace(format, 'formatToParts', (original) =>
    answering(storage, original, (context, args, self) => formatting(context, original, self)(...args)),
  )
  replace(process, 'nextTick', (original) => nextTickOf(storage, original))
  for (const { name, owner, keys, remedy } of refused) {
    const found = owner()
    if (typeof found !== 'function' && (typeof found !== 'object' || found === null)) continue
    for (const key of keys) {
      replace(found, key, (original) => forbidding(storage, original, `${name}${key}`, remedies[remedy]))
    }
  }
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

/** Formats the run's time where no date is given. */
function formatting({ now }: GuardContext, usual: Callable, self: unknown): (...args: readonly unknown[]) => unknown {
  return (given, ...rest) => Reflect.apply(usual, self, [given === undefined ? now() : given, ...rest])
}
