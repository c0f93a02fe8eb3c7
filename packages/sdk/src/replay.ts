// What a program needs that proves new code against recorded histories.
export type { HistoryDocument, HistoryInput, HistoryRow } from './verify/recorded-run.ts'
export {
  type ReplayHistoryOptions,
  type ReplayMismatch,
  type ReplayReport,
  replayHistory,
} from './verify/replay-history.ts'
