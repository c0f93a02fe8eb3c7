import { openStore } from '../src/index.ts'
import { storeContract } from './contract/store.contract.ts'

storeContract('sqlite in memory', (options) => openStore('sqlite::memory:', options))
