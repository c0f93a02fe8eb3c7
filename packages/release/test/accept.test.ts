import { acceptCases } from './counterfactuals/accept.ts'
import { testCounterfactuals } from './kit/check.ts'

testCounterfactuals(acceptCases)
