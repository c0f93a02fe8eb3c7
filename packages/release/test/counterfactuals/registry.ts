import type { Counterfactual } from '../kit/counterfactual.ts'
import { publishCases } from './registry-publish.ts'
import { readbackCases } from './registry-readback.ts'

/** Publishing, reading back, watching. */
export const registryCases: readonly Counterfactual[] = [...publishCases, ...readbackCases]
