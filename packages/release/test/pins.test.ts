import { pinsCases } from './counterfactuals/pins.ts'
import { testCounterfactuals } from './kit/check.ts'

testCounterfactuals(pinsCases)
