// Generated from spec/ by `pnpm generate`. Do not edit: change the document and generate again.
export type * from '../worker-1.19/operation-types.ts'
