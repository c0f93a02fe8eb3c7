/** The members of path parameters or of a query that are text; of a member that was given several times there is none. */
export function textMembers(parameters: unknown): Readonly<Record<string, string>> {
  if (typeof parameters !== 'object' || parameters === null) return {}
  return Object.fromEntries(Object.entries(parameters).filter((entry) => typeof entry[1] === 'string'))
}

/** Names that were given several times: which of the values was meant, nobody can tell. */
export function repeatedMembers(parameters: unknown): readonly string[] {
  if (typeof parameters !== 'object' || parameters === null) return []
  return Object.entries(parameters).flatMap(([name, value]) => (Array.isArray(value) ? [name] : []))
}

/** What is wrong with such a one. */
export const givenTwice = 'is given more than once'
