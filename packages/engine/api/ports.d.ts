// All that `@durable-workflow/engine/ports` opens to its users. Written by `pnpm surface:accept`.

import { EventPayloads } from '@durable-workflow/protocol';

/** What was true of the claimer when it claimed; later registrations neither upgrade nor downgrade it (design.md §2.4). */
interface ClaimProof {
    readonly workerId: string;
    /** The registration's own id: another process under the same worker id has another one. */
    readonly registrationId: string;
    /** The protocol version of the poll's header, like `1.19`. */
    readonly protocolVersion: string;
    readonly capabilities: readonly string[];
    readonly buildId: string | undefined;
    readonly pollRequestId: string | undefined;
}
/** The bounded ownership that a claim gives. Valid while `expiresAt > now`; equality is expired (L-09). */
interface Lease {
    readonly owner: string;
    /** Epoch ms. */
    readonly leasedAt: number;
    readonly expiresAt: number;
    /** What a renewal adds: the length with which it was given. */
    readonly leaseMs: number;
    readonly proof: ClaimProof;
}
declare function isLive(lease: Lease, now: number): boolean;
/** The same lease, from now for its full length. */
declare function renewed(lease: Lease, now: number): Lease;

/** A JSON value as it arrives on the wire and is stored as text; what stands inside objects and lists is not checked. */
type Json = null | boolean | number | string | readonly unknown[] | JsonObject;
/** A JSON object; a member that is undefined is absent on the wire. */
type JsonObject = {
    readonly [key: string]: unknown;
};

/** The six members that every event of a group's member repeats, exactly as its command carried them. */
type GroupFacts = Pick<EventPayloads['TimerFired'], 'parallel_group_id' | 'parallel_group_kind' | 'parallel_group_base_sequence' | 'parallel_group_size' | 'parallel_group_index' | 'parallel_group_path'>;
/** What an activity or a timer knows of the group that it is a member of. */
interface GroupMember {
    /** Step of the first member of the outermost group around it: under it the run counts. */
    readonly base: number;
    readonly facts: GroupFacts;
}
/**
 * One outermost group of a run: the run hears of its members when all have ended, or when one fails. Groups within it
 * are not counted: each is complete before the outermost one is.
 */
interface ParallelGroup {
    readonly groupId: string;
    /** Step of the first member. */
    readonly base: number;
    /** Members on all levels. */
    readonly size: number;
    /** Digest of the paths of all members: the same group, sent again, is known by it. */
    readonly shape: string;
    /** Members that have not ended. */
    readonly open: number;
    /** History position of the event that ended the last member; kept until a completion has seen it. */
    readonly closedSequence: number | undefined;
}

/** A payload as the wire carries it: the codec's name and the encoded bytes in base64 (worker plane 1.19, envelope). */
type Envelope = {
    readonly codec: string;
    readonly blob: string;
};
/** The one codec of this line. */
declare const payloadCodec = "avro";
/** What stands where a caller gave no arguments: the encoded empty list, for published workers need one (python-recordings §4.2). */
declare const noArguments: Envelope;

type ActivityStatus = 'pending' | 'running' | 'completed' | 'failed' | 'cancelled';
type AttemptStatus = 'running' | 'completed' | 'failed' | 'cancelled' | 'expired';
type TimeoutKind = 'schedule_to_start' | 'start_to_close' | 'schedule_to_close' | 'heartbeat';
/** Whole seconds as on the wire, or the exact milliseconds where the worker sent them (`millisecond_durations`). */
interface ActivityTimeouts {
    readonly scheduleToStartMs: number | undefined;
    readonly startToCloseMs: number | undefined;
    readonly scheduleToCloseMs: number | undefined;
    readonly heartbeatMs: number | undefined;
}
/** Next delay = backoffMs[min(attempt − 1, last)]; an empty list means at once (worker plane §9.6). */
interface RetryPolicy {
    readonly maxAttempts: number;
    readonly backoffMs: readonly number[];
    readonly nonRetryableErrorTypes: readonly string[];
}
/** An attempt that ended; kept so that its late reports get their exact answer (L-15, R-10). */
/** The report that closed an attempt and what it was answered: an exact repeat gets that reply. */
interface AttemptReport {
    readonly digest: string;
    readonly nextTaskId: string | undefined;
    /** Epoch ms. */
    readonly retryAt: number | undefined;
}
interface ClosedAttempt {
    readonly attempt: number;
    readonly status: AttemptStatus;
    readonly owner: string;
    /** Epoch ms. */
    readonly closedAt: number;
    /** Undefined when time or the end of the run closed it. */
    readonly report: AttemptReport | undefined;
}
/**
 * One scheduled call of an activity, and at the same time its task: an execution has exactly one task, whose id is
 * the execution's, redelivered attempt by attempt.
 */
interface Activity {
    readonly activityId: string;
    readonly runId: string;
    readonly workflowId: string;
    readonly namespace: string;
    readonly taskQueue: string;
    readonly activityType: string;
    /** Step number of the authored call. */
    readonly step: number;
    /** Set for a member of a parallel group. */
    readonly group: GroupMember | undefined;
    readonly status: ActivityStatus;
    readonly arguments: Envelope;
    readonly timeouts: ActivityTimeouts;
    readonly retry: RetryPolicy;
    /** The policy as the command carried it, JSON text, for snapshots in history; undefined when it carried none. */
    readonly retryPolicyText: string | undefined;
    /** Epoch ms. */
    readonly scheduledAt: number;
    /** Not claimed before this instant. */
    readonly availableAt: number;
    /** Number of the newest attempt; 0 before the first claim. */
    readonly attempt: number;
    readonly attemptStatus: AttemptStatus | undefined;
    readonly lease: Lease | undefined;
    readonly startedAt: number | undefined;
    readonly lastHeartbeatAt: number | undefined;
    /** The newest details, free JSON; handed to the next attempt. */
    readonly lastHeartbeatDetails: Json | undefined;
    readonly scheduleDeadlineAt: number | undefined;
    readonly scheduleToCloseDeadlineAt: number | undefined;
    readonly closeDeadlineAt: number | undefined;
    readonly heartbeatDeadlineAt: number | undefined;
    /** The newest ones only (limits.closedAttemptsMax); history has all. */
    readonly closedAttempts: readonly ClosedAttempt[];
    readonly closedAt: number | undefined;
    /** The earliest instant at which time must act: a deadline or the end of the lease. */
    readonly dueAt: number | undefined;
}
declare function isOpenActivity(activity: Activity): boolean;

/** One immutable entry of a run's history. */
interface HistoryEvent {
    readonly eventId: string;
    readonly runId: string;
    /** Position in the run's history, dense from 1. */
    readonly sequence: number;
    readonly type: string;
    /** The payload as JSON text: numbers keep the form in which they came. */
    readonly payload: string;
    readonly workflowTaskId: string | undefined;
    readonly commandId: string | undefined;
    /** Epoch ms. */
    readonly recordedAt: number;
}

/** A namespace: the outermost boundary of names, queues and tokens. */
interface Namespace {
    readonly name: string;
    readonly description: string | undefined;
    readonly retentionDays: number;
    /** Epoch ms. */
    readonly createdAt: number;
}
/** Present in every new database. */
declare const defaultNamespace = "default";

type QueryTaskStatus = 'ready' | 'leased' | 'completed' | 'failed';
/** What became of a query; `result` is the worker's plain projection, `envelope` the encoded value. */
type QueryOutcome = {
    readonly kind: 'completed';
    readonly result: Json | undefined;
    readonly envelope: Envelope | undefined;
} | {
    readonly kind: 'failed';
    readonly reason: string;
    readonly message: string;
    readonly type: string | undefined;
    readonly validationErrors: Json | undefined;
};
/** A question to a run, answered by a worker from its history; a row (time to live 180 s), never history. */
interface QueryTask {
    readonly queryTaskId: string;
    readonly runId: string;
    readonly workflowId: string;
    readonly namespace: string;
    readonly taskQueue: string;
    readonly workflowType: string;
    readonly queryName: string;
    readonly arguments: Envelope;
    readonly status: QueryTaskStatus;
    readonly attempt: number;
    readonly lease: Lease | undefined;
    readonly outcome: QueryOutcome | undefined;
    /** Epoch ms. */
    readonly createdAt: number;
    /** When the caller stops waiting. */
    readonly deadlineAt: number;
    /** When the row goes. */
    readonly dueAt: number;
}

type WorkerStatus = 'active' | 'draining';
/** Which process registered; equal parts mean the same process (L-14). */
interface ProcessIdentity {
    readonly host: string | undefined;
    readonly processId: string | undefined;
    readonly startedAt: string | undefined;
}
/** A worker as it registered itself: what it can do, where it polls. Liveness is kept apart from it. */
interface Registration {
    readonly namespace: string;
    readonly workerId: string;
    /** New for every process that takes the worker id. */
    readonly registrationId: string;
    readonly taskQueue: string;
    readonly runtime: string;
    readonly sdkVersion: string | undefined;
    readonly buildId: string | undefined;
    readonly protocolVersion: string;
    readonly workflowTypes: readonly string[];
    readonly activityTypes: readonly string[];
    readonly capabilities: readonly string[];
    readonly capabilityManifest: JsonObject | undefined;
    /** type → fingerprint of its definition. */
    readonly definitionFingerprints: Readonly<Record<string, string>>;
    /** type → queries, signals, updates with their contracts, as registered. */
    readonly commandContracts: JsonObject | undefined;
    readonly maxConcurrentWorkflowTasks: number;
    readonly maxConcurrentActivityTasks: number;
    readonly status: WorkerStatus;
    readonly process: ProcessIdentity | undefined;
    readonly heartbeatIntervalSeconds: number;
    /** Epoch ms. */
    readonly registeredAt: number;
}
/** Liveness of a registration, in a row of its own: a worker heartbeat rewrites nothing else. */
interface Liveness {
    readonly namespace: string;
    readonly workerId: string;
    /** Epoch ms. */
    readonly lastHeartbeatAt: number;
    /** Free slots and process metrics as reported, free JSON. */
    readonly report: JsonObject | undefined;
}
/** The key of everything that belongs to one worker id of one namespace. */
declare function workerKey(namespace: string, workerId: string): string;

/** `pending` until the first claim, `waiting` while no workflow task is leased; the last four are terminal. */
type RunStatus = 'pending' | 'running' | 'waiting' | 'completed' | 'failed' | 'cancelled' | 'terminated';
/** Why a run closed; `timed_out` belongs to status `failed`. */
type ClosedReason = 'completed' | 'failed' | 'cancelled' | 'terminated' | 'timed_out';
/** What an open run waits for: the reason that it will move (design.md §2.6); kept with its state, proven by the checker. */
type ProgressKind = 'workflow_task_ready' | 'workflow_task_leased' | 'activity' | 'timer' | 'signal_wait' | 'condition_wait'
/** Members of a parallel group are open: the run hears of the last that ends, or of one that fails. */
 | 'parallel_group'
/** Nothing is open but the run itself: only a message (a signal) or a deadline moves it. */
 | 'message'
/** Replay refused the history; corrected code or an operator moves it. */
 | 'replay_blocked';
/** The run's one workflow task that is ready or leased. */
interface OpenTask {
    readonly taskId: string;
    readonly leased: boolean;
}
/** How a run failed, as recorded in its last event. */
interface RunFailure {
    readonly failureId: string;
    readonly category: string;
    readonly message: string;
    readonly exceptionType: string | undefined;
    readonly exceptionClass: string | undefined;
    readonly nonRetryable: boolean;
    /** The worker's structured exception, kept whole. */
    readonly exception: JsonObject | undefined;
}
/** One attempt at a workflow: one history. */
interface Run {
    readonly runId: string;
    readonly workflowId: string;
    readonly namespace: string;
    readonly workflowType: string;
    readonly taskQueue: string;
    readonly runNumber: number;
    readonly status: RunStatus;
    readonly closedReason: ClosedReason | undefined;
    /** The run's input, an envelope of a list of arguments. */
    readonly arguments: Envelope;
    readonly output: Envelope | undefined;
    readonly failure: RunFailure | undefined;
    readonly businessKey: string | undefined;
    /** Seconds, as they came. */
    readonly executionTimeoutSeconds: number | undefined;
    readonly runTimeoutSeconds: number | undefined;
    /** Epoch ms. */
    readonly executionDeadlineAt: number | undefined;
    readonly runDeadlineAt: number | undefined;
    /** The idempotent id of the start, ours: a start repeated after a lost reply returns the first answer. */
    readonly startId: string | undefined;
    /** Epoch ms of WorkflowStarted. */
    readonly startedAt: number;
    readonly closedAt: number | undefined;
    readonly lastProgressAt: number;
    /** Position of the newest history event; positions are dense from 1. */
    readonly lastSequence: number;
    /** Bytes of all payload texts of the history. */
    readonly historyBytes: number;
    /** The newest workflow step number; dense from 1 (python-replay §10.1). */
    readonly lastStep: number;
    /** Counter of ids made in this run. */
    readonly lastId: number;
    /** Counter of control commands (start, signal, cancel …) of this run. */
    readonly commandSequence: number;
    readonly openActivities: number;
    readonly openTimers: number;
    readonly openSignalWaits: number;
    readonly openConditionWaits: number;
    /** Its outermost groups that are open, or whose end no completion has seen; in order of their first step. */
    readonly parallelGroups: readonly ParallelGroup[];
    /** Signals ever accepted; bounded by the limits. */
    readonly signalCount: number;
    /** The registration of the process that keeps this run's state in its sticky cache, and up to which history position. */
    readonly cachedBy: string | undefined;
    readonly cachedSequence: number;
    /** The reason of the last replay-blocked failure while it stands. */
    readonly replayBlockedReason: string | undefined;
    /** Fingerprint of the definition that the blocked worker had registered; undefined when it had none. */
    readonly replayBlockedFingerprint: string | undefined;
    readonly openTask: OpenTask | undefined;
    /** Why it will move, derived from the fields above at every change; undefined once closed. */
    readonly progress: ProgressKind | undefined;
    /** The earliest deadline of the run itself (epoch ms); undefined when it has none or is closed. */
    readonly dueAt: number | undefined;
}
/** Whether a run may still move. */
declare function isOpen(run: Run): boolean;
/** The reason to move that a run's own fields state; the checker proves that rows stand behind it. */
declare function progressOf(run: Run): ProgressKind | undefined;
/** The earlier of a run's two deadlines. */
declare function runDueAt(executionDeadlineAt: number | undefined, runDeadlineAt: number | undefined): number | undefined;
/** The bucket under which lists count a status (control plane 2, §6.5). */
declare function statusBucket(status: RunStatus): 'running' | 'completed' | 'failed';

/**
 * `held`: accepted while a workflow task was leased, recorded after that task's own rows (python-replay §5.1);
 * `received`: in history, unread; `applied`: taken by a signal wait.
 */
type SignalStatus = 'held' | 'received' | 'applied';
interface Signal {
    readonly signalId: string;
    readonly runId: string;
    readonly name: string;
    readonly arguments: Envelope;
    readonly status: SignalStatus;
    readonly commandId: string;
    readonly commandSequence: number;
    readonly requestId: string | undefined;
    /** Epoch ms. */
    readonly receivedAt: number;
}

type TimerStatus = 'pending' | 'fired' | 'cancelled';
/** A timer that authored code set, or the timeout of a wait. */
type TimerKind = 'user' | 'condition_timeout' | 'signal_timeout';
interface Timer {
    readonly timerId: string;
    readonly runId: string;
    readonly kind: TimerKind;
    /** Step number of the authored call; for a timeout that of the wait's latest opening. */
    readonly step: number;
    /** Set for a member of a parallel group. */
    readonly group: GroupMember | undefined;
    /** The wait that this timer ends. */
    readonly waitId: string | undefined;
    /** Whole seconds as on the wire; what replay compares. */
    readonly delaySeconds: number;
    /** Exact delay. */
    readonly delayMs: number;
    /** Epoch ms. */
    readonly fireAt: number;
    readonly status: TimerStatus;
    /** `fireAt` while pending; undefined for the timeout of a wait that fell due while a workflow task was leased: it is held until that task closes. */
    readonly dueAt: number | undefined;
}

/**
 * `expired`: its timeout is recorded and no completion has seen that yet; `timed_out`: one has.
 * `reopened`: a later opening of the same authored wait took over; it keeps the first deadline.
 */
type WaitStatus = 'open' | 'expired' | 'satisfied' | 'timed_out' | 'reopened' | 'cancelled';
/** Whether a workflow task may still refer to the wait. */
declare function isLiveWait(wait: Wait): boolean;
interface WaitBase {
    readonly waitId: string;
    readonly runId: string;
    readonly step: number;
    readonly status: WaitStatus;
    readonly timeoutSeconds: number | undefined;
    /** Epoch ms; of the first opening. */
    readonly deadlineAt: number | undefined;
    readonly timerId: string | undefined;
    readonly openedAt: number;
    /** History position of the event that ended it. */
    readonly closedSequence: number | undefined;
}
/** A wait for a predicate that only the worker can evaluate. */
interface ConditionWait extends WaitBase {
    readonly kind: 'condition';
    readonly conditionKey: string | undefined;
    readonly fingerprint: string | undefined;
    readonly occurrenceId: string | undefined;
}
/** A wait for the next unread signal of one name. */
interface SignalWait extends WaitBase {
    readonly kind: 'signal';
    readonly signalName: string;
}
type Wait = ConditionWait | SignalWait;

/** The durable identity that a user chose; one id lives in one namespace (design.md §2.3). */
interface Workflow {
    readonly workflowId: string;
    readonly namespace: string;
    readonly workflowType: string;
    readonly currentRunId: string;
    readonly runCount: number;
}

type TaskStatus = 'ready' | 'leased' | 'completed' | 'failed' | 'cancelled';
/** Why a workflow task was made; what the poll reply tells the worker (worker plane 1.19 §6.1, resume context). */
interface Resume {
    readonly waitKind: 'start' | 'activity' | 'timer' | 'condition' | 'signal' | 'retry' | 'repair';
    readonly openWaitId: string | undefined;
    readonly sourceKind: 'activity_execution' | 'timer' | 'workflow_signal' | undefined;
    readonly sourceId: string | undefined;
    /** The step that was resolved, if one was. */
    readonly step: number | undefined;
    /** The event that resolved it. */
    readonly eventType: string | undefined;
}
/** A worker's report that it could not take the run further; the run stays open. */
interface TaskFailure {
    readonly message: string;
    readonly type: string | undefined;
    readonly reason: string | undefined;
    /** Step at which replay stopped, if the worker said so. */
    readonly step: number | undefined;
}
/** One delivery unit of a run to a workflow worker. A run has at most one that is ready or leased. */
interface WorkflowTask {
    readonly taskId: string;
    readonly runId: string;
    readonly namespace: string;
    readonly taskQueue: string;
    readonly workflowType: string;
    readonly status: TaskStatus;
    /** Not claimed before this instant (epoch ms). */
    readonly availableAt: number;
    readonly createdAt: number;
    /** Grows with every claim; the fence (L-04). */
    readonly attempt: number;
    readonly lease: Lease | undefined;
    /** How often an expired lease was set free. */
    readonly repairCount: number;
    /** Failures in a row before this task, for the back-off. */
    readonly failureCount: number;
    readonly resume: Resume;
    /** Why the run must be woken again once this task closes: something was resolved while it was leased. */
    readonly pendingResume: Resume | undefined;
    /** What the worker said when it failed this task. */
    readonly failure: TaskFailure | undefined;
    /** History position when it was claimed: what the worker has seen. */
    readonly claimedSequence: number;
    /** Digest of the report that closed it, kept while the run is open: an exact repeat gets the recorded reply. */
    readonly reportDigest: string | undefined;
    /** The reply to that report, as JSON text. */
    readonly reportReply: string | undefined;
    readonly closedAt: number | undefined;
    /** When time must act on it: the end of its lease (epoch ms). */
    readonly dueAt: number | undefined;
}
declare function isOpenTask(task: WorkflowTask): boolean;

/** The rows of one kind that a group changed: whole rows, each once, as they are to be. */
interface RowChanges<Row> {
    readonly inserted: readonly Row[];
    readonly updated: readonly Row[];
    readonly removed: readonly Row[];
}
/** Everything that a group writes, as data; the store turns each list into one statement. */
interface Changes {
    readonly namespaces: RowChanges<Namespace>;
    readonly workflows: RowChanges<Workflow>;
    readonly runs: RowChanges<Run>;
    readonly workflowTasks: RowChanges<WorkflowTask>;
    readonly activities: RowChanges<Activity>;
    readonly timers: RowChanges<Timer>;
    readonly waits: RowChanges<Wait>;
    readonly signals: RowChanges<Signal>;
    readonly queryTasks: RowChanges<QueryTask>;
    readonly registrations: RowChanges<Registration>;
    readonly livenesses: RowChanges<Liveness>;
    /** Append-only, in order. */
    readonly events: readonly HistoryEvent[];
}
/** What a store found for a list of slice keys; rows of one kind in any order, each once. */
interface Loaded {
    readonly namespaces: readonly Namespace[];
    readonly workflows: readonly Workflow[];
    readonly runs: readonly Run[];
    readonly workflowTasks: readonly WorkflowTask[];
    readonly activities: readonly Activity[];
    readonly timers: readonly Timer[];
    readonly waits: readonly Wait[];
    readonly signals: readonly Signal[];
    readonly queryTasks: readonly QueryTask[];
    readonly registrations: readonly Registration[];
    readonly livenesses: readonly Liveness[];
}

/**
 * What a decision may see, asked for by key before it decides. The store answers all keys of a group in a few
 * set-based queries; reading anything else from the draft is a broken invariant (UW1).
 */
type SliceKey = {
    readonly of: 'namespace';
    readonly name: string;
}
/** A workflow and its current run. */
 | {
    readonly of: 'workflow';
    readonly workflowId: string;
} | {
    readonly of: 'run';
    readonly runId: string;
} | {
    readonly of: 'workflowTask';
    readonly taskId: string;
}
/** The one workflow task of a run that is ready or leased. */
 | {
    readonly of: 'openWorkflowTask';
    readonly runId: string;
} | {
    readonly of: 'activity';
    readonly activityId: string;
}
/** All activities of a run that are pending or running. */
 | {
    readonly of: 'openActivities';
    readonly runId: string;
} | {
    readonly of: 'timer';
    readonly timerId: string;
}
/** All pending timers of a run. */
 | {
    readonly of: 'openTimers';
    readonly runId: string;
}
/** All waits of a run that are open or expired. */
 | {
    readonly of: 'liveWaits';
    readonly runId: string;
}
/** All signals of a run that are held. */
 | {
    readonly of: 'heldSignals';
    readonly runId: string;
}
/** The oldest `limit` signals of one name that are received and not applied. */
 | {
    readonly of: 'unreadSignals';
    readonly runId: string;
    readonly name: string;
    readonly limit: number;
} | {
    readonly of: 'queryTask';
    readonly queryTaskId: string;
} | {
    readonly of: 'registration';
    readonly namespace: string;
    readonly workerId: string;
} | {
    readonly of: 'liveness';
    readonly namespace: string;
    readonly workerId: string;
};
type SliceOf = SliceKey['of'];
/** One text for one key: what was asked for in a group is asked once. */
declare function sliceKeyText(key: SliceKey): string;

/** Fields of a run that a list query may name (control plane 2, §6.3); custom attributes come later. */
type ListField = 'workflowType' | 'workflowId' | 'runId' | 'taskQueue' | 'buildId' | 'startedAt' | 'closedAt' | 'status' | 'statusBucket';
type ListOperator = '=' | '!=' | '<' | '<=' | '>' | '>=';
/** A list query as a tree: the store turns it into its own language, the core into a predicate for tests. */
type ListFilter = {
    readonly kind: 'all';
    readonly of: readonly ListFilter[];
} | {
    readonly kind: 'not';
    readonly of: ListFilter;
}
/** Instants are epoch ms, everything else text. */
 | {
    readonly kind: 'compare';
    readonly field: ListField;
    readonly operator: ListOperator;
    readonly value: string | number;
} | {
    readonly kind: 'in';
    readonly field: ListField;
    readonly values: readonly string[];
}
/** Substring of the workflow id or the business key. */
 | {
    readonly kind: 'text';
    readonly text: string;
}
/** An unknown field matches nothing. */
 | {
    readonly kind: 'nothing';
};

/**
 * Durable state. The only writer is `transact`.
 *
 * Errors of every method: StoreUnavailableError (nothing was written; may be repeated).
 * `transact` besides: CommitUnknownError (the commit was sent, its fate is not known).
 */
interface Store {
    /** One word for the operator, like `sqlite:/var/lib/dw.db`; without credentials. */
    readonly description: string;
    /** How many transactions of this process may be under way at once; 1 where they wait in line anyway. */
    readonly concurrency: number;
    /**
     * Takes the locks in ascending order, runs `work` in one transaction, commits, resolves.
     * A lock serialises all transactions that name it, across servers. If `work` rejects, everything is rolled back.
     *
     * @param whereFree locks that are taken besides, but only where nobody holds them now: `transaction.skipped` has the
     *   others. Where all transactions wait in line, none is skipped.
     */
    transact<T>(locks: readonly string[], work: (transaction: Transaction) => Promise<T>, whereFree?: readonly string[]): Promise<T>;
    /** Reads slices outside of any transaction, from one snapshot. */
    load(keys: readonly SliceKey[]): Promise<Loaded>;
    readonly find: Find;
    readonly list: List;
    /** Undefined where no other server can be told. */
    readonly wakes: Wakes | undefined;
    /** Proves that the store answers; resolves or rejects with StoreUnavailableError. */
    ping(): Promise<void>;
    /** Waits for what is under way and closes all connections. */
    close(): Promise<void>;
}
interface Transaction {
    /** Locks that were asked for where they are free and that somebody else holds. */
    readonly skipped: ReadonlySet<string>;
    /** One set-based statement for each kind of key that occurs, however many keys there are. */
    load(keys: readonly SliceKey[]): Promise<Loaded>;
    /** One set-based statement for each list that is not empty (bounded pieces where a driver limits parameters). */
    write(changes: Changes): Promise<void>;
}
/**
 * Hints between the servers on one database: what a commit of one makes worth a look to the others. Best effort: a hint may
 * be lost, come twice or come late, and nothing is correct because of it.
 */
interface Wakes {
    /** Returns at once; what comes in quick succession goes out together. */
    tell(hints: readonly Hint[]): void;
    /** Hears the other servers, never itself. @returns what ends it */
    listen(hear: (hints: readonly Hint[]) => void): () => void;
}
type Hint = 
/** A task of this place becomes available (epoch ms). */
{
    readonly kind: 'ready';
    readonly task: TaskKind;
    readonly namespace: string;
    readonly taskQueue: string;
    readonly availableAt: number;
}
/** Something is due at this instant (epoch ms). */
 | {
    readonly kind: 'due';
    readonly at: number;
}
/** Whoever waits for this outcome looks again. */
 | {
    readonly kind: 'outcome';
    readonly key: OutcomeKey;
}
/** A worker is registered under this id; undefined when it is gone. */
 | {
    readonly kind: 'registration';
    readonly namespace: string;
    readonly workerId: string;
    readonly registrationId: string | undefined;
}
/** Hints were lost: everything is worth a look. */
 | {
    readonly kind: 'missed';
};
/** What a caller waits on: anything that happens to a run, its end, or the outcome of a query. */
type OutcomeKey = `run:${string}` | `closed:${string}` | `query:${string}`;
/** Candidates only: what is found here is re-checked under the lock. */
interface Find {
    /** Ready tasks of one queue, oldest `availableAt` first, of the given types only. */
    readyTasks(query: ReadyTaskQuery): Promise<ReadyTasks>;
    /** Everything whose `dueAt` ≤ now, earliest first, and the next instant at which something will be due. */
    due(query: {
        readonly now: number;
        readonly limit: number;
    }): Promise<DueThings>;
    /** The leases that a worker holds; with a poll request id, only the one that this poll was given. */
    leasedBy(query: {
        readonly namespace: string;
        readonly owner: string;
        readonly pollRequestId?: string;
        /** Leases on tasks of this kind only. */
        readonly kind?: TaskKind;
    }): Promise<readonly HeldLease[]>;
    /** Runs whose replay is blocked, in order of type and run id; a keyset page after `after`. */
    blockedRuns(query: BlockedRunQuery): Promise<readonly BlockedRun[]>;
}
/** A suspended run as a repair looks at it. */
interface BlockedRun {
    readonly runId: string;
    readonly workflowType: string;
    readonly taskQueue: string;
    /** Of the definition that refused the history; undefined when its worker had registered none. */
    readonly fingerprint: string | undefined;
    /** Epoch ms. */
    readonly startedAt: number;
}
interface BlockedRunQuery {
    readonly namespace: string;
    /** Only runs of these types; undefined: all. */
    readonly types: readonly string[] | undefined;
    readonly after: {
        readonly workflowType: string;
        readonly runId: string;
    } | undefined;
    readonly limit: number;
}
type TaskKind = 'workflow' | 'activity' | 'query';
interface ReadyTaskQuery {
    readonly kind: TaskKind;
    readonly namespace: string;
    readonly taskQueue: string;
    /** Workflow types for workflow and query tasks, activity types for activity tasks. */
    readonly types: readonly string[];
    readonly now: number;
    readonly limit: number;
}
interface ReadyTask {
    readonly kind: TaskKind;
    /** Workflow task id, activity id or query task id. */
    readonly id: string;
    readonly runId: string;
    readonly type: string;
    /** Epoch ms. */
    readonly availableAt: number;
}
interface ReadyTasks {
    readonly tasks: readonly ReadyTask[];
    /** When the next task of this queue and these types becomes available, if one waits for its time. */
    readonly nextAvailableAt: number | undefined;
}
type DueKind = 'workflowTask' | 'activity' | 'timer' | 'run' | 'queryTask';
interface DueThing {
    readonly kind: DueKind;
    readonly id: string;
    /** Epoch ms. */
    readonly dueAt: number;
}
interface DueThings {
    readonly things: readonly DueThing[];
    readonly nextDueAt: number | undefined;
}
interface HeldLease {
    readonly kind: TaskKind;
    readonly id: string;
    readonly attempt: number;
    readonly pollRequestId: string | undefined;
    readonly leaseExpiresAt: number;
}
/** Pages for people and workers. */
interface List {
    /** History of a run after a position, in order; at most `limit` events. */
    history(query: {
        readonly runId: string;
        readonly after: number;
        readonly limit: number;
    }): Promise<readonly HistoryEvent[]>;
    /** Runs of a namespace, newest start first, then run id descending; a keyset page after `after`. */
    workflows(query: WorkflowListQuery): Promise<readonly Run[]>;
    /** All runs of a workflow, oldest first. */
    runs(query: {
        readonly workflowId: string;
    }): Promise<readonly Run[]>;
    /** Open runs in order of their run id, for the checker. */
    openRuns(query: {
        readonly after: string | undefined;
        readonly limit: number;
    }): Promise<readonly Run[]>;
    namespaces(): Promise<readonly Namespace[]>;
    /** Registrations of a namespace, of one task queue if given, with their liveness. */
    registrations(query: {
        readonly namespace: string;
        readonly taskQueue?: string;
    }): Promise<readonly {
        readonly registration: Registration;
        readonly liveness: Liveness | undefined;
    }[]>;
    /** Query tasks of a queue that are ready or leased. */
    openQueryTaskCount(query: {
        readonly namespace: string;
        readonly taskQueue: string;
    }): Promise<number>;
}
interface WorkflowListQuery {
    readonly namespace: string;
    readonly filter: ListFilter;
    readonly limit: number;
    readonly after: {
        readonly startedAt: number;
        readonly runId: string;
    } | undefined;
}
/** The engine's time; virtual in tests. */
interface Clock {
    /** Epoch milliseconds. */
    now(): number;
    /** Calls back at an instant, not earlier; returns what cancels it. */
    at(instant: number, wake: () => void): () => void;
    /** Calls back in a later turn, after what is already waiting; the moment in which a group gathers. */
    soon(wake: () => void): void;
}
/** Chance for ids; the core never makes any. */
interface Chance {
    /** Lowercase hex digits. */
    hex(digits: number): string;
}
/** The five instants of a unit of work at which crash and race tests meet it (design.md §7). */
type NamedPoint = 'gathered' | 'locked' | 'decided' | 'written' | 'committed';
interface Probe {
    /** Awaited at each named point; `kinds` are the operations of the group. Absent in production. */
    reached(point: NamedPoint, kinds: readonly string[]): Promise<void>;
}
/** Hears what happens, for metrics. Each method is called in the middle of the work: it must be cheap and never throw. */
interface Observer {
    /** A group was gathered; what is returned hears of the points that it comes to. Without `committed` it failed. */
    group(operations: number): (point: NamedPoint | 'loaded') => void;
    /** An operation is answered after its commit. @param reason of a refusal or rejection */
    answered(kind: string, outcome: 'accepted' | 'rejected' | 'refused', reason: string | undefined): void;
    claimed(task: TaskKind, how: 'poll' | 'same_group' | 'hand_over'): void;
    /** Something that was due has been acted on. @param reply of its operation */
    acted(kind: DueKind, lateMs: number, reply: unknown): void;
}
/** Nothing was written; the same operation may be tried again. */
declare class StoreUnavailableError extends Error {
    readonly name = "StoreUnavailableError";
    /** What the database said: `full`, `read_only`, `locked`, `unreachable` or `other`. */
    readonly condition: StoreCondition;
    constructor(condition: StoreCondition, options: {
        cause: unknown;
    });
}
type StoreCondition = 'full' | 'read_only' | 'locked' | 'unreachable' | 'other';
/** The commit was sent and its fate is unknown (UW7): the answer says `unknown`, never `recorded: false`. */
declare class CommitUnknownError extends Error {
    readonly name = "CommitUnknownError";
    constructor(options: {
        cause: unknown;
    });
}

export { CommitUnknownError, StoreUnavailableError, defaultNamespace, isLive, isLiveWait, isOpen, isOpenActivity, isOpenTask, noArguments, payloadCodec, progressOf, renewed, runDueAt, sliceKeyText, statusBucket, workerKey };
export type { Activity, ActivityStatus, ActivityTimeouts, AttemptReport, AttemptStatus, BlockedRun, BlockedRunQuery, Chance, Changes, ClaimProof, Clock, ClosedAttempt, ClosedReason, ConditionWait, DueKind, DueThing, DueThings, Envelope, Find, GroupFacts, GroupMember, HeldLease, Hint, HistoryEvent, Json, JsonObject, Lease, List, ListField, ListFilter, ListOperator, Liveness, Loaded, NamedPoint, Namespace, Observer, OpenTask, OutcomeKey, ParallelGroup, Probe, ProcessIdentity, ProgressKind, QueryOutcome, QueryTask, QueryTaskStatus, ReadyTask, ReadyTaskQuery, ReadyTasks, Registration, Resume, RetryPolicy, RowChanges, Run, RunFailure, RunStatus, Signal, SignalStatus, SignalWait, SliceKey, SliceOf, Store, StoreCondition, TaskFailure, TaskKind, TaskStatus, TimeoutKind, Timer, TimerKind, TimerStatus, Transaction, Wait, WaitStatus, Wakes, WorkerStatus, Workflow, WorkflowListQuery, WorkflowTask };
