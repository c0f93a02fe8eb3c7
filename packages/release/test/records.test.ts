import { recordsCases } from './counterfactuals/records.ts'
import { testCounterfactuals } from './kit/check.ts'

testCounterfactuals(recordsCases)
