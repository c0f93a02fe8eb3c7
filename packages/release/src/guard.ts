import { type Facts, type RefusalCode, Refused } from './refusal.ts'

/**
 * Stops the stage with a refusal unless what must hold holds. Every guard of this package is a call of this function, so
 * that a test can take one away and see what it alone holds back (P-86).
 *
 * @throws Refused with that code and those facts
 */
export function refuseUnless(holds: boolean, code: RefusalCode, facts: Facts): asserts holds {
  if (!holds) throw new Refused(code, facts)
}
