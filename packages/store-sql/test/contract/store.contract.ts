// What every dialect must do. A dialect adds one test file that calls this with its way to open an empty database.
//
// Concerns: load (each key kind, round trips) · write (each list, refusals) · transact (rollback, order, close) ·
// find · list (pages, filters) · statements (counted at the driver).

import { describe } from 'vitest'
import type { OpenFresh } from '../support/suite.ts'
import { findContract } from './find.contract.ts'
import { listContract } from './list.contract.ts'
import { loadContract } from './load.contract.ts'
import { statementsContract } from './statements.contract.ts'
import { transactContract } from './transact.contract.ts'
import { writeContract } from './write.contract.ts'

export function storeContract(name: string, open: OpenFresh): void {
  describe(name, () => {
    loadContract(open)
    writeContract(open)
    transactContract(open)
    findContract(open)
    listContract(open)
    statementsContract(open)
  })
}
