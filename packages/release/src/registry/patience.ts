import { setTimeout } from 'node:timers/promises'
import type { Context } from '../context.ts'
import { Misused, Refused } from '../refusal.ts'

/** How long lag is borne with. The pause is handed in, so that tests need not wait. */
export interface Patience {
  readonly deadlineSeconds: number
  pause(milliseconds: number): Promise<void>
}

/** Public registries show a version after seconds to minutes; asking more often helps nobody. */
const pauseMs = 5000

/**
 * Tries until it succeeds, as long as what stops it may pass: absence and transport (exit 20), and a tag that a cache still
 * shows where it was.
 *
 * @param until instant in epoch milliseconds; the last refusal is thrown when it has passed
 * @returns the result, and how often it was tried
 * @source P-71
 */
export async function withPatience<T>(
  context: Context,
  { pause }: Patience,
  until: number,
  attempt: () => Promise<T>,
): Promise<{ readonly result: T; readonly attempts: number }> {
  for (let attempts = 1; ; attempts++) {
    try {
      return { result: await attempt(), attempts }
    } catch (error) {
      if (!mayPass(error) || context.now().getTime() >= until) throw error
      context.progress(`${error.message}; asked ${attempts} times`)
    }
    await pause(pauseMs)
  }
}

const mayPass = (error: unknown): error is Refused =>
  error instanceof Refused && (error.exit === 20 || error.code === 'readback_tag_mismatch')

/** When lag is borne with no longer, counted from now. */
export const deadlineOf = (context: Context, { deadlineSeconds }: Patience): number =>
  context.now().getTime() + deadlineSeconds * 1000

/**
 * Patience as a command line gives it, in seconds.
 *
 * @throws Misused for what is no number of seconds
 */
export function patienceOf(given: string | undefined, usualSeconds: number): Patience {
  if (given !== undefined && !/^\d{1,6}$/.test(given))
    throw new Misused(`--deadline ${given}: whole seconds are wanted`)
  return {
    deadlineSeconds: given === undefined ? usualSeconds : Number(given),
    pause: async (milliseconds) => {
      await setTimeout(milliseconds)
    },
  }
}
