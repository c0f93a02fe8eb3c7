import type { Counterfactual } from '../kit/counterfactual.ts'
import { manifestAgainCases } from './pack/manifest-again.ts'
import { packedCases } from './pack/packed.ts'
import { reproductionCases } from './pack/reproduction.ts'
import { sourceCases } from './pack/source.ts'

/** Source → tarballs → manifest → reproduction. */
export const packCases: readonly Counterfactual[] = [
  ...sourceCases,
  ...packedCases,
  ...manifestAgainCases,
  ...reproductionCases,
]
