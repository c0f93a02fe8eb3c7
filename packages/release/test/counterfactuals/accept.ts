import type { Counterfactual } from '../kit/counterfactual.ts'
import { acceptInstallCases } from './accept-install.ts'
import { judgeCases } from './accept-judge.ts'

export const acceptCases: readonly Counterfactual[] = [...judgeCases, ...acceptInstallCases]
