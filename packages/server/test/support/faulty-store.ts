import type { Store } from '@durable-workflow/engine/ports'

/** A store that works until `fault` gives something else to do than to ask it. */
export function faultyStore(store: Store, fault: () => (() => Promise<never>) | undefined): Store {
  return new Proxy(store, {
    get(target, name) {
      const value = Reflect.get(target, name)
      if (name === 'find' || name === 'list') return faultyPart(value, fault)
      return name === 'close' ? target.close.bind(target) : faultyMethod(target, value, fault)
    },
  })
}

function faultyPart(part: object, fault: () => (() => Promise<never>) | undefined): object {
  return new Proxy(part, { get: (target, name) => faultyMethod(target, Reflect.get(target, name), fault) })
}

function faultyMethod(target: object, method: unknown, fault: () => (() => Promise<never>) | undefined): unknown {
  if (typeof method !== 'function') return method
  return (...args: unknown[]) => fault()?.() ?? Reflect.apply(method, target, args)
}
