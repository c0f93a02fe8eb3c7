// Whether a program printed what a page says it prints: ids, instants and durations are any, a line `…` is any lines, a `…` in a line any text.

const anything: readonly (readonly [RegExp, string])[] = [
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, '<id>'],
  [/\b\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)?/g, '<instant>'],
  [/\b(?=[0-9a-z]*\d)[0-9a-z]{16,}\b/gi, '<id>'],
  [/\b\d+(\.\d+)? ?(ms|s)\b/g, '<duration>'],
]

const normal = (text: string): string[] =>
  text
    .trim()
    .split('\n')
    .map((line) => anything.reduce((changed, [pattern, name]) => changed.replaceAll(pattern, name), line.trimEnd()))

export function sameOutput(printed: string, expected: string): boolean {
  return matches(normal(printed), normal(expected))
}

function matches(printed: readonly string[], expected: readonly string[]): boolean {
  const [first, ...rest] = expected
  if (first === undefined) return printed.length === 0
  if (first !== '…') return isLike(printed[0], first) && matches(printed.slice(1), rest)
  return printed.some((_, at) => matches(printed.slice(at), rest)) || rest.length === 0
}

function isLike(printed: string | undefined, expected: string): boolean {
  if (printed === undefined) return false
  const parts = expected.split('…').map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
  return new RegExp(`^${parts.join('.*')}$`).test(printed)
}
