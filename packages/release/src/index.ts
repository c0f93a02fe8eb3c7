export { type ArchiveLimits, type ReadArchive, type ReadOptions, readArchive } from './archive/read.ts'
export { canonicalText, type Json } from './canonical.ts'
export { type Evidence, openEvidence, type StoredRecord } from './evidence.ts'
export {
  beginRelease,
  endRelease,
  type Ledger,
  openLedger,
  releaseInProgress,
  type StoredTuple,
  type StoredWithdrawal,
} from './ledger.ts'
export { pinsFile, readPins } from './pins.ts'
export { type Policy, policyShape, type ReadPolicy, readPolicy } from './policy.ts'
export {
  type Channel,
  type Pins,
  type Pointer,
  pins,
  pointer,
  type Tuple,
  tuple,
  type Withdrawal,
  withdrawal,
} from './records/ledger.ts'
export type { FileEntry, Manifest, PackageEntry, Packing } from './records/manifest.ts'
export type { AnyRecord, Approved, DetailsOf, RecordKind, RecordOf } from './records/records.ts'
export { type Facts, isRefusalCode, type RefusalCode, Refused, refusals } from './refusal.ts'
export type { Shape, Shaped } from './shape.ts'
export { isSigned, publicKeyOf, signed } from './sign.ts'
export { type CheckedLockfile, type PinsReport, type PinsRules, verifyPins } from './stages/verify-pins.ts'
