// The conditions of partial indexes, letter for letter: a query finds such an index only when it says the same.
// Migrations keep their own copies, because they never change.

import { sql } from 'kysely'

export const openWorkflowTask = sql<boolean>`status in ('ready', 'leased')`
export const readyTask = sql<boolean>`status = 'ready'`
export const leasedTask = sql<boolean>`status = 'leased'`
export const openActivity = sql<boolean>`status in ('pending', 'running')`
export const readyActivity = sql<boolean>`status = 'pending'`
export const leasedActivity = sql<boolean>`status = 'running'`
export const pendingTimer = sql<boolean>`status = 'pending'`
export const liveWait = sql<boolean>`status in ('open', 'expired')`
export const heldSignal = sql<boolean>`status = 'held'`
export const unreadSignal = sql<boolean>`status = 'received'`
export const openQueryTask = sql<boolean>`status in ('ready', 'leased')`
export const blockedRun = sql<boolean>`replay_blocked_reason is not null`
export const openRun = sql<boolean>`closed_at is null`
