// Wrappers of what is on the list: inside workflow code they answer or throw, outside they are what they wrap.
import type { AsyncLocalStorage } from 'node:async_hooks'
import { promisify } from 'node:util'
import { GuardError } from '../authoring/failure.ts'
import { placeOfCaller } from '../authoring/place.ts'
import type { GuardContext } from './context.ts'

export type Callable = (...args: never[]) => unknown
type Constructor = Parameters<typeof Reflect.construct>[2]
type Storage = AsyncLocalStorage<GuardContext>

export function isCallable(value: unknown): value is Callable {
  return typeof value === 'function'
}

/** A function that has another answer inside. A proxy keeps name, length and static members of what it wraps. */
export function answering(
  storage: Storage,
  original: Callable,
  inside: (context: GuardContext, args: readonly unknown[], self: unknown) => unknown,
): Callable {
  return new Proxy(original, {
    apply(target, self, args) {
      const context = storage.getStore()
      return context === undefined ? Reflect.apply(target, self, args) : inside(context, args, self)
    },
  })
}

/** A function or class that throws inside, also in the form that `util.promisify` makes of it. */
export function forbidding(storage: Storage, original: Callable, name: string, remedy: string): Callable {
  const wrapper: ProxyHandler<Callable> = {
    apply(target, self, args) {
      if (storage.getStore() !== undefined) throw refusal(name, remedy, trap('apply'))
      return Reflect.apply(target, self, args)
    },
    construct(target, args, newTarget) {
      if (storage.getStore() !== undefined) throw refusal(name, remedy, trap('construct'))
      return constructed(target, args, newTarget)
    },
    get(target, key, receiver) {
      const found: unknown = Reflect.get(target, key, receiver)
      return key === promisify.custom && isCallable(found) ? forbidding(storage, found, name, remedy) : found
    },
  }
  const trap = (key: 'apply' | 'construct'): Callable => wrapper[key] ?? original
  return new Proxy(original, wrapper)
}

/** `Date`, whose clock inside is the run's. */
export function dateOf(storage: Storage, original: Callable): Callable {
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

/** `process.nextTick`, of which inside a microtask is made: replay waits for microtasks, and for nothing else. */
export function nextTickOf(storage: Storage, original: Callable): Callable {
  // Every stream of the process calls it, so no proxy.
  return function nextTick(this: unknown, ...args) {
    const [callback, ...rest]: readonly unknown[] = args
    if (storage.getStore() === undefined || !isCallable(callback)) return Reflect.apply(original, this, args)
    queueMicrotask(() => Reflect.apply(callback, undefined, rest))
  }
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
