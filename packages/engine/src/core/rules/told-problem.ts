import { engineLimits } from '../state/limits.ts'

/** What went wrong, for people: the kind of the failure and its words, cut to `engineLimits.toldProblemCharactersMax`. */
export function toldProblem(type: string | undefined, message: string): string {
  const told = type === undefined ? message : `${type}: ${message}`
  return told.slice(0, engineLimits.toldProblemCharactersMax)
}
