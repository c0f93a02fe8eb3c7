/**
 * Whether one exact version comes after another, by the precedence of Semantic Versioning 2.0.0 §11.
 *
 * @param one    `1.10.0`, `1.0.0-rc.2`
 * @param other  of the same form
 */
export function isNewer(one: string, other: string): boolean {
  const [left, right] = [parts(one), parts(other)]
  return (compared(left.core, right.core) || beforeRelease(left, right) || compared(left.pre, right.pre)) > 0
}

interface Parts {
  readonly core: readonly string[]
  readonly pre: readonly string[]
}

function parts(version: string): Parts {
  const dash = version.indexOf('-')
  const core = dash === -1 ? version : version.slice(0, dash)
  return { core: core.split('.'), pre: dash === -1 ? [] : version.slice(dash + 1).split('.') }
}

/** A version without a pre-release part comes after those with one. */
const beforeRelease = (one: Parts, other: Parts): number =>
  Number(one.pre.length === 0) - Number(other.pre.length === 0)

function compared(one: readonly string[], other: readonly string[]): number {
  for (const [index, left] of one.entries()) {
    const right = other[index]
    if (right === undefined) return 1
    const order = comparedPart(left, right)
    if (order !== 0) return order
  }
  return one.length - other.length
}

const isNumeric = (text: string): boolean => /^\d+$/.test(text)

function comparedPart(one: string, other: string): number {
  if (isNumeric(one) && isNumeric(other)) return Math.sign(Number(one) - Number(other))
  if (isNumeric(one) !== isNumeric(other)) return isNumeric(one) ? -1 : 1
  return one === other ? 0 : one < other ? -1 : 1
}
