import type { Counterfactual } from '../kit/counterfactual.ts'
import { packedCases } from './pack/packed.ts'

/** Source → tarballs → manifest → reproduction. */
export const packCases: readonly Counterfactual[] = [...packedCases]
