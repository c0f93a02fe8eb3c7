import { archiveCases } from './counterfactuals/archive.ts'
import { testCounterfactuals } from './kit/check.ts'

testCounterfactuals(archiveCases)
