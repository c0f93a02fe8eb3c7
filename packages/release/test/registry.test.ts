import { registryCases } from './counterfactuals/registry.ts'
import { testCounterfactuals } from './kit/check.ts'

testCounterfactuals(registryCases)
