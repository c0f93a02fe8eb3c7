/** One finding of a check on the documents: what is wrong, where, and what to do next. */
export interface Problem {
  code: string
  /** Where in the documents, a path of names. */
  at: string
  message: string
  next: string
}

export function problem(code: string, at: string, message: string, next: string): Problem {
  return { code, at, message, next }
}

export function render(found: Problem): string {
  return `${found.code}  ${found.at}\n    ${found.message}\n    next: ${found.next}`
}
