import { openStore } from '../src/index.ts'
import { storeContract } from './contract/store.contract.ts'
import { databaseDirectory } from './support/directory.ts'

const directory = databaseDirectory()

storeContract('sqlite in a file', (options) => openStore(`sqlite:${directory.newFile()}`, options))
