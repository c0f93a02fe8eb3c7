export { openStore, type StoreOptions } from './open.ts'
