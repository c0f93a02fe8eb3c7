import { packCases } from './counterfactuals/pack.ts'
import { testCounterfactuals } from './kit/check.ts'

testCounterfactuals(packCases)
