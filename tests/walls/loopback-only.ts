// Loaded before every test file: a test that reaches beyond this machine fails where it tries.
import { Socket } from 'node:net'

const loopback = /^(localhost|127(\.\d{1,3}){3}|::1|\[::1\]|::ffff:127\.\d{1,3}\.\d{1,3}\.\d{1,3})$/i

/** The host that a call of `connect` names; undefined for a local path or a bare port. */
function hostOf(call: readonly unknown[]): string | undefined {
  const [first, second] = Array.isArray(call[0]) ? call[0] : call
  if (typeof first === 'object' && first !== null && 'host' in first && typeof first.host === 'string')
    return first.host
  return typeof first === 'number' && typeof second === 'string' ? second : undefined
}

const connect = Socket.prototype.connect

Socket.prototype.connect = new Proxy(connect, {
  apply(target, socket: Socket, call: unknown[]) {
    const host = hostOf(call)
    if (host === undefined || loopback.test(host)) return Reflect.apply(target, socket, call)
    throw new Error(`a test may connect to loopback only, not to ${host}; start what it needs on 127.0.0.1`)
  },
})
