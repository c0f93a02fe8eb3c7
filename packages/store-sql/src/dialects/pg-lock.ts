import { createHash } from 'node:crypto'

const shortKey = /^[0-9a-f]{16}$/

/**
 * The numbers under which PostgreSQL knows the locks: each once, in ascending order, so that two servers that want the
 * same ones never wait for each other. The key of a workflow is a hash already, 64 bits as hex digits; other keys become
 * one. Two keys with one number merely share a lock.
 */
export function lockNumbers(keys: readonly string[]): readonly bigint[] {
  return [...new Set(keys.map(lockNumber))].sort((a, b) => (a < b ? -1 : 1))
}

export function lockNumber(key: string): bigint {
  const bits = shortKey.test(key) ? BigInt(`0x${key}`) : createHash('sha256').update(key).digest().readBigUInt64BE()
  return BigInt.asIntN(64, bits)
}
