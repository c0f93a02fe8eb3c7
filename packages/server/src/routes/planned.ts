// What the documents plan: each of these operations answers 501 until it is built, by name.
import { allOperations } from '../operation-facts.ts'
import { plannedRoute, type Route } from '../route.ts'

export const plannedRoutes: readonly Route[] = allOperations
  .filter(({ stage }) => stage === 'planned')
  .map(plannedRoute)
