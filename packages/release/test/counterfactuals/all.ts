// Every counterfactual of this package; cases of this folder that are not among them fail `coverage.test.ts`.
import type { Counterfactual } from '../kit/counterfactual.ts'
import { acceptCases } from './accept.ts'
import { approveCases } from './approve.ts'
import { archiveCases } from './archive.ts'
import { packCases } from './pack.ts'
import { pinsCases } from './pins.ts'
import { recordsCases } from './records.ts'
import { registryCases } from './registry.ts'

/** All of them, by area. */
export const allCases: readonly Counterfactual[] = [
  ...acceptCases,
  ...approveCases,
  ...archiveCases,
  ...packCases,
  ...pinsCases,
  ...recordsCases,
  ...registryCases,
]
