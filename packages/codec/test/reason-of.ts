import { CodecError, type CodecReason } from '../src/index.ts'

/** The CodecError that `act` throws; anything else fails the test. */
export const errorOf = (act: () => unknown): CodecError => {
  let result: unknown
  try {
    result = act()
  } catch (error) {
    if (CodecError.is(error)) return error
    throw error
  }
  throw new Error(`expected a CodecError, got ${String(result)}`)
}

/** The reason of the CodecError that `act` throws. */
export const reasonOf = (act: () => unknown): CodecReason => errorOf(act).reason
