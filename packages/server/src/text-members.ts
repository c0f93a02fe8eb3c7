/** The members of path parameters or of a query that are text; of a member that was given several times there is none. */
export function textMembers(parameters: unknown): Readonly<Record<string, string>> {
  if (typeof parameters !== 'object' || parameters === null) return {}
  return Object.fromEntries(Object.entries(parameters).filter((entry) => typeof entry[1] === 'string'))
}
