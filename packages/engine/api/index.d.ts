// All that `@durable-workflow/engine` opens to its users. Written by `pnpm surface:accept`.

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

type ActivityStatus = 'pending' | 'running' | 'completed' | 'failed' | 'cancelled';
type AttemptStatus = 'running' | 'completed' | 'failed' | 'cancelled' | 'expired';
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
interface Liveness$1 {
    readonly namespace: string;
    readonly workerId: string;
    /** Epoch ms. */
    readonly lastHeartbeatAt: number;
    /** Free slots and process metrics as reported, free JSON. */
    readonly report: JsonObject | undefined;
}

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
    readonly livenesses: RowChanges<Liveness$1>;
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
    readonly livenesses: readonly Liveness$1[];
}

/** A broken promise between our own parts; never caused by a caller. The group loses that draft only (UW4). */
declare class InvariantError extends Error {
    readonly name = "InvariantError";
}
/** The rows of one kind as a group sees them: loaded once, then as the accepted drafts left them. */
declare class GroupTable<Row> {
    #private;
    constructor(keyOf: (row: Row) => string);
    /** Takes rows that the store loaded; a row that an earlier draft of the group has changed stays as it is. */
    add(rows: readonly Row[]): void;
    get(key: string): Row | undefined;
    rows(): IterableIterator<[string, Row]>;
    /** Takes over what an accepted draft put and removed. */
    merge(put: ReadonlyMap<string, Row>, removed: ReadonlySet<string>): void;
    changes(): RowChanges<Row>;
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

/** The state that one group of operations shares: what was loaded, as the accepted drafts left it. */
declare class Group {
    #private;
    readonly namespaces: GroupTable<Namespace>;
    readonly workflows: GroupTable<Workflow>;
    readonly runs: GroupTable<Run>;
    readonly workflowTasks: GroupTable<WorkflowTask>;
    readonly activities: GroupTable<Activity>;
    readonly timers: GroupTable<Timer>;
    readonly waits: GroupTable<Wait>;
    readonly signals: GroupTable<Signal>;
    readonly queryTasks: GroupTable<QueryTask>;
    readonly registrations: GroupTable<Registration>;
    readonly livenesses: GroupTable<Liveness$1>;
    readonly events: HistoryEvent[];
    /** Which of the keys were not asked for yet. */
    unasked(keys: Iterable<SliceKey>): SliceKey[];
    add(loaded: Loaded): void;
    /** Whether a key was loaded, or cannot be in the store. */
    knows(key: SliceKey): boolean;
    markBorn(runId: string): void;
    changes(): Changes;
}

/** A task that a draft made claimable. */
interface Ready {
    readonly kind: 'workflow' | 'activity' | 'query';
    readonly id: string;
    readonly namespace: string;
    readonly taskQueue: string;
    readonly type: string;
}
/**
 * What one decision sees and changes: a copy-on-write view of its group (UW1).
 *
 * Reading a key that no slice of the group asked for throws InvariantError: a decision that guesses is a bug of ours.
 * Rows are whole and immutable; `put…` replaces one.
 */
declare class Draft {
    #private;
    constructor(group: Group);
    namespace(name: string): Namespace | undefined;
    workflow(workflowId: string): Workflow | undefined;
    run(runId: string): Run | undefined;
    workflowTask(taskId: string): WorkflowTask | undefined;
    hasWorkflowTask(taskId: string): boolean;
    openWorkflowTask(runId: string): WorkflowTask | undefined;
    activity(activityId: string): Activity | undefined;
    openActivities(runId: string): readonly Activity[];
    timer(timerId: string): Timer | undefined;
    hasTimer(timerId: string): boolean;
    openTimers(runId: string): readonly Timer[];
    /** In the order of their steps. */
    liveWaits(runId: string): readonly Wait[];
    /** Signals accepted while a workflow task was leased, in the order in which they were accepted. */
    heldSignals(runId: string): readonly Signal[];
    /** Received and not applied, of one name, in the order in which they were accepted. */
    unreadSignals(runId: string, name: string): readonly Signal[];
    queryTask(queryTaskId: string): QueryTask | undefined;
    registration(namespace: string, workerId: string): Registration | undefined;
    liveness(namespace: string, workerId: string): Liveness$1 | undefined;
    putNamespace(row: Namespace): Namespace;
    putWorkflow(row: Workflow): Workflow;
    putRun(row: Run): Run;
    /** Puts a run that this decision made: nothing about it needs loading. */
    putNewRun(row: Run): Run;
    putWorkflowTask(row: WorkflowTask): WorkflowTask;
    putActivity(row: Activity): Activity;
    putTimer(row: Timer): Timer;
    putWait(row: Wait): Wait;
    putSignal(row: Signal): Signal;
    putQueryTask(row: QueryTask): QueryTask;
    removeQueryTask(queryTaskId: string): void;
    putRegistration(row: Registration): Registration;
    removeRegistration(row: Registration): void;
    putLiveness(row: Liveness$1): Liveness$1;
    removeLiveness(row: Liveness$1): void;
    /** The tasks that this draft made claimable by now. */
    madeReady(now: number): Ready[];
    /** Only `history/append` calls this. */
    addEvent(event: HistoryEvent): void;
    /** Hands everything to the group; called once, by the unit of work, when the decision stands. */
    commit(): void;
    /** Whether a key is in the slice; a decision that finds it is not may ask for it (`widen`). */
    knows(key: SliceKey): boolean;
}

/** The operation was decided and everything it changed is committed. */
interface Accepted<Reply> {
    readonly kind: 'accepted';
    readonly reply: Reply;
}
/** A negative outcome that is itself recorded in history. */
interface Rejected<Reply> {
    readonly kind: 'rejected';
    readonly reason: string;
    readonly reply: Reply;
}
/**
 * The engine says no: nothing of the report was recorded. Facts are camelCase; the server writes them in the wire's
 * words and makes the text from them.
 */
interface Refused<Reason extends string = string> {
    readonly kind: 'refused';
    readonly reason: Reason;
    readonly facts: JsonObject;
    readonly recorded: false;
    /** True where time acted on the run while it refused (a deadline that had passed): the draft is kept. */
    readonly keepsDraft: boolean;
}
/** What a caller of the door gets. */
type Outcome<Reply, Reason extends string = string> = Accepted<Reply> | Rejected<Reply> | Refused<Reason>;
/** Decides nothing yet: the operation comes again, first in the next group, with these keys in its slice. */
interface Widen {
    readonly kind: 'widen';
    readonly keys: readonly SliceKey[];
}
/** What a decision returns. */
type Decision<Reply, Reason extends string = string> = Outcome<Reply, Reason> | Widen;

/** One input of the door: what it locks, what it may see, how it decides. Data and a pure function. */
interface Operation<Reply = unknown, Reason extends string = string> {
    readonly kind: string;
    /** Lock keys; the workflow's lock where a workflow is touched, else the resource's own. */
    readonly locks: readonly string[];
    readonly slice: readonly SliceKey[];
    /** More keys that follow from the rows loaded so far; asked until it names none that is new, before any decision of the group (UW2). */
    follow(draft: Draft): readonly SliceKey[];
    /** Synchronous and total; `now` is the instant of the group (epoch ms). */
    decide(draft: Draft, now: number): Decision<Reply, Reason>;
}

type StopReason = 'run_cancelled' | 'run_terminated' | 'run_closed' | 'attempt_closed' | 'stale_attempt' | 'activity_cancelled' | 'activity_not_running';

/** What every report of an activity attempt says of itself. */
interface AttemptReporter {
    /** A task of another namespace is not found. */
    readonly namespace: string;
    /** The execution, which is the wire's task id. */
    readonly activityId: string;
    readonly attemptId: string;
    readonly leaseOwner: string;
}
/** A report that ends an attempt. */
interface OutcomeReport extends AttemptReporter {
    /** Digest of the whole body; an exact repeat is recognised by it. */
    readonly reportDigest: string;
}
type AttemptReason = 'task_not_found' | 'attempt_not_found' | 'task_mismatch';
type SettledReason = Exclude<StopReason, 'attempt_closed' | 'activity_cancelled' | 'activity_not_running'> | 'lease_owner_mismatch';
/** What a recorded outcome of an attempt answers. */
interface ActivityTaskClosed {
    readonly activityId: string;
    readonly attemptId: string;
    readonly runId: string;
    /** The workflow task that this outcome made, or the retry's; undefined when one was there already. */
    readonly nextTaskId: string | undefined;
    /** When the next attempt may start (epoch ms); undefined when none follows. */
    readonly retryAt: number | undefined;
    /** The same report was recorded before; nothing was recorded now. */
    readonly repeated: boolean;
}

interface CompleteActivityTask extends OutcomeReport {
    readonly result: Envelope | undefined;
}
/**
 * Records the result of an attempt that still holds its lease, and wakes the run.
 *
 * @source completeActivityTask; worker plane §9.2, L-16, R-10
 */
declare const completeActivityTask: (input: CompleteActivityTask) => Operation<ActivityTaskClosed, "structural_limit_exceeded" | AttemptReason | SettledReason>;

/** How authored code, or the worker for it, failed an attempt. */
interface AttemptFailureReport {
    readonly message: string;
    readonly type: string | undefined;
    readonly class: string | undefined;
    readonly code: number | undefined;
    readonly nonRetryable: boolean;
    /** The report as it came, kept whole in history for the program that catches it. */
    readonly exception: JsonObject;
}
interface FailActivityTask extends OutcomeReport {
    readonly failure: AttemptFailureReport;
}
/**
 * Records the failure of an attempt: another attempt after the policy's back-off, or the failure of the activity.
 *
 * @source failActivityTask; worker plane §9.3, §9.6
 */
declare const failActivityTask: (input: FailActivityTask) => Operation<ActivityTaskClosed, AttemptReason | SettledReason>;

interface HeartbeatActivityTask extends AttemptReporter {
    /** Free JSON, kept whole; undefined when the heartbeat brings none: the newest details stay. */
    readonly details: Json | undefined;
}
/** What a heartbeat answers: whether the attempt may go on, and whether the heartbeat counted. */
interface HeartbeatReply {
    readonly canContinue: boolean;
    readonly cancelRequested: boolean;
    readonly reason: StopReason | undefined;
    /** Whether this heartbeat renewed the lease and is in history. */
    readonly heartbeatRecorded: boolean;
    readonly activity: Activity;
    readonly attemptId: string;
    readonly run: Run;
}
/**
 * Records progress of an attempt and renews its lease, or tells it to stop; a stopped one changes nothing and keeps
 * its timestamps (L-15, L-16).
 *
 * @source heartbeatActivityTask; worker plane §9.5
 */
declare const heartbeatActivityTask: (input: HeartbeatActivityTask) => Operation<HeartbeatReply, "attempt_not_found">;

interface CreateNamespace {
    readonly name: string;
    readonly description: string | undefined;
    readonly retentionDays: number;
}
/** Creates a namespace. @source createNamespace */
declare const createNamespace: (input: CreateNamespace) => Operation<{
    namespace: Namespace;
}, "namespace_already_exists">;

/** How a control command names its run: the workflow's current one, or exactly one. */
interface RunAddress {
    readonly namespace: string;
    readonly workflowId: string;
    readonly runId: string | undefined;
}
type AddressReason = 'instance_not_found' | 'run_not_found' | 'historical_run_command_rejected' | 'run_not_active';

/** What a worker's answer to a query says of itself. */
interface QueryReporter {
    /** A question of another namespace is not found. */
    readonly namespace: string;
    readonly queryTaskId: string;
    readonly leaseOwner: string;
    readonly attempt: number;
}
type QueryFenceReason = 'query_task_not_found' | 'query_task_not_leased' | 'query_task_timed_out' | 'lease_expired' | 'lease_owner_mismatch' | 'query_task_attempt_mismatch';

interface CompleteQueryTask extends QueryReporter {
    /** The worker's plain projection of the value. */
    readonly result: Json | undefined;
    readonly envelope: Envelope | undefined;
}
/** Answers a query with a value. @source completeQueryTask */
declare const completeQueryTask: (input: CompleteQueryTask) => Operation<{
    queryTask: QueryTask;
}, QueryFenceReason>;

interface FailQueryTask extends QueryReporter {
    readonly failure: {
        readonly message: string;
        readonly reason: string | undefined;
        readonly type: string | undefined;
        readonly validationErrors: Json | undefined;
    };
}
/** Answers a query with a failure; without a reason it is `query_rejected`. @source failQueryTask */
declare const failQueryTask: (input: FailQueryTask) => Operation<{
    queryTask: QueryTask;
}, QueryFenceReason>;

interface WorkerName {
    readonly namespace: string;
    readonly workerId: string;
}

interface HeartbeatWorker extends WorkerName {
    /** Free slots and process metrics, free JSON. */
    readonly report: JsonObject | undefined;
}
/** Records that a registered worker lives; leases are not touched. @source heartbeatWorker */
declare const heartbeatWorker: (input: HeartbeatWorker) => Operation<{
    registration: Registration;
}, "worker_not_registered">;

interface RegisterWorker extends Omit<Registration, 'registeredAt' | 'status'> {
    readonly liveness: JsonObject | undefined;
}

interface CloseByCommand extends RunAddress {
    readonly reason: string | undefined;
    readonly requestId: string | undefined;
}
interface CloseReply {
    readonly run: Run;
    readonly commandId: string;
    readonly commandSequence: number;
    readonly outcome: 'cancelled' | 'terminated';
}

/**
 * Cancels a run at once (terminal semantics of line 1.19; the cooperative way is another operation).
 *
 * @source cancelWorkflow, cancelRun
 */
declare const cancelWorkflow: (input: CloseByCommand) => Operation<CloseReply, AddressReason>;

interface RepairWorkflow extends RunAddress {
    readonly requestId: string | undefined;
}
/** A recorded repair and what came of it. */
interface RepairReply {
    readonly run: Run;
    readonly commandId: string;
    readonly commandSequence: number;
    readonly outcome: 'repair_dispatched' | 'repair_not_needed';
    /** The workflow task that the run got. */
    readonly taskId: string | undefined;
}
/**
 * An operator's nudge: resumes a replay-blocked run, redelivers an expired lease at once, wakes a run for which nothing is
 * scheduled; any other run moves by itself and is left alone (L-03). Recorded in each case.
 *
 * @source repairWorkflow, repairRun; history-replay §7.5
 */
declare const repairWorkflow: (input: RepairWorkflow) => Operation<RepairReply, AddressReason>;

/**
 * Refuses a cooperative cancellation: this server advertises none (C-05). The run is looked up first, so that an
 * unknown id gets its own answer.
 *
 * @source requestCancellation, requestRunCancellation
 */
declare const requestCancellation: (input: RunAddress) => Operation<unknown, "instance_not_found" | "run_not_found" | "cooperative_cancellation_not_supported" | "historical_run_command_rejected">;

interface SignalWorkflow extends RunAddress {
    readonly signalName: string;
    readonly arguments: Envelope | undefined;
    readonly requestId: string | undefined;
}
/** An accepted signal and the control command that it is. */
interface SignalReply {
    readonly run: Run;
    readonly signalId: string;
    readonly commandId: string;
    readonly commandSequence: number;
}
/**
 * Accepts a signal: recorded at once, or held while a workflow task is leased and recorded after that task's rows.
 *
 * @source signalWorkflow, signalRun
 */
declare const signalWorkflow: (input: SignalWorkflow) => Operation<SignalReply, "structural_limit_exceeded" | AddressReason>;

/** A start: durations in seconds as on the wire, with exact milliseconds where they came. */
interface StartWorkflow {
    readonly namespace: string;
    readonly workflowId: string;
    /** A new id of this workflow (`newRunId`), made outside the core. */
    readonly runId: string;
    readonly workflowType: string;
    readonly taskQueue: string;
    readonly arguments: Envelope | undefined;
    readonly businessKey: string | undefined;
    readonly executionTimeoutSeconds: number | undefined;
    readonly runTimeoutSeconds: number | undefined;
    /** Exact forms of the two timeouts, where they came. */
    readonly executionTimeoutMs: number | undefined;
    readonly runTimeoutMs: number | undefined;
    readonly duplicatePolicy: 'fail' | 'use-existing';
    /** Ours: a start repeated under the same id after a lost reply returns the first answer. */
    readonly startId: string | undefined;
}
/** The run that a start made or found. */
interface StartReply {
    readonly outcome: 'started_new' | 'returned_existing_active' | 'rejected_duplicate';
    readonly run: Run;
    readonly commandId: string;
    /** The answer of the first start with this start id, given again; nothing was recorded now. */
    readonly repeated: boolean;
}
/**
 * Starts a run: StartAccepted, WorkflowStarted and the first workflow task, in one commit.
 *
 * An id that ever had a run is not started again; `use-existing` returns the current run while it is open. Both
 * answers to a duplicate are recorded on the existing run (control plane 2, §6.4).
 *
 * @throws never
 * @source startWorkflow
 */
declare const startWorkflow: (input: StartWorkflow) => Operation<StartReply, "namespace_not_found" | "validation_failed" | "workflow_id_reserved_in_namespace">;

/**
 * Terminates a run at once, without the authored code.
 *
 * @source terminateWorkflow, terminateRun
 */
declare const terminateWorkflow: (input: CloseByCommand) => Operation<CloseReply, AddressReason>;

type ClosedRunReason = 'run_timed_out' | 'run_closed';

type FenceReason = 'task_not_found' | ClosedRunReason | 'task_not_leased' | 'lease_expired' | 'lease_owner_mismatch' | 'workflow_task_attempt_mismatch';
/** What a report on a workflow task says of itself. */
interface Reporter {
    /** A task of another namespace is not found. */
    readonly namespace: string;
    readonly taskId: string;
    readonly leaseOwner: string;
    readonly attempt: number;
}

/** Bounds that the wire does not name; durations in ms, the rest in pieces. */
declare const engineLimits: {
    /** Ended attempts that an activity's row remembers for exact answers to late reports; history has all. */
    readonly closedAttemptsMax: 10;
    /** Operations in one group (UW6): at 200 a group's statements stay well under the 1 ms that a flush costs anyway. */
    readonly groupOperationsMax: 200;
    /** How long the dispatcher and the sweep trust their memory before they look into the store again, in ms. */
    readonly scanIntervalMs: 1000;
    /** Due things that one sweep hands to the door. */
    readonly sweepBatchMax: 200;
    /** What is kept of a worker's words on why it could not replay; in characters. */
    readonly replayBlockedReasonCharactersMax: 2000;
    /** Replay-blocked runs that one look brings. */
    readonly blockedRunsPageMax: 200;
    /** Candidates that the repair status counts; from there on it says that there are more. */
    readonly repairCountMax: 1000;
    /** Candidates of one kind that a repair pass acts on. */
    readonly repairScanRows: 25;
    /** A repair pass without a filter that follows another one within this time does nothing; in ms. */
    readonly repairThrottleMs: number;
    /** Candidates that one look into a queue brings. */
    readonly candidatesMax: 100;
    /** How long a query's row stays. */
    readonly queryTaskTtlMs: number;
    /** Open queries of one task queue. */
    readonly queryTasksPerQueueMax: 1024;
    /** Without a heartbeat for this long, and for three of its own intervals, a worker counts as gone for queries. */
    readonly workerStaleAfterMs: number;
    /** Retention of the default namespace. */
    readonly retentionDays: 30;
};
/** The lengths with which an engine leases and waits; milliseconds. */
interface EngineSettings {
    /** Default 60,000 (DW_WORKFLOW_TASK_TIMEOUT). */
    readonly workflowTaskLeaseMs: number;
    /** Default 300,000 (DW_ACTIVITY_TASK_TIMEOUT). */
    readonly activityTaskLeaseMs: number;
    /** How long a query's caller waits; default 30,000. */
    readonly queryTimeoutMs: number;
    /** Default 60,000. */
    readonly queryLeaseMs: number;
    /** Default 1,000: with every wake lost, each task is found within this (DI3). */
    readonly scanIntervalMs: number;
    /** Events of a first history page; default 500. */
    readonly historyPageSize: number;
}

/** A command as it arrived: any type that the wire knows, or does not. */
interface WireCommand {
    readonly type: string;
}

/** A report that closes a workflow task. */
interface ClosingReport extends Reporter {
    /** Digest of the whole body; an exact repeat is recognised by it. */
    readonly reportDigest: string;
    /** The worker keeps the run's state in its cache (ours, capability `history_cache`). */
    readonly historyCached: boolean;
}

interface CompleteWorkflowTask extends ClosingReport {
    /** As they came, shapes checked. */
    readonly commands: readonly WireCommand[];
    /** Steps of condition waits that became true (ours, capability `resolved_waits`). */
    readonly resolvedWaits: readonly number[];
}
/** A recorded completion. */
interface WorkflowTaskCompleted {
    readonly taskId: string;
    readonly attempt: number;
    readonly runId: string;
    readonly runStatus: RunStatus;
    readonly createdTaskIds: readonly string[];
    /** The recorded reply, given again; nothing was recorded now. */
    readonly repeated: boolean;
}
/**
 * Turns the commands of a workflow task into events, activities, timers and waits, and closes the task: whole or not
 * at all; a refusal of a command keeps the claim.
 *
 * At most {@link limits.historyTransactionEventsMax} rows, those of closing the run and of held signals not counted.
 * Order of rows: what the code moved past, the commands in list order, signals held back meanwhile, the terminal one.
 *
 * @source completeWorkflowTask; worker plane §6.4, python-replay §10
 */
declare const completeWorkflowTask: (input: CompleteWorkflowTask) => Operation<WorkflowTaskCompleted, "validation_failed" | "structural_limit_exceeded" | FenceReason>;

type FailureClass = 'waiting_for_history' | 'replay_blocked' | 'failed';

interface FailWorkflowTask extends ClosingReport {
    readonly failure: TaskFailure;
}
/** A recorded failure of a task and how it was understood. */
interface WorkflowTaskFailed {
    readonly taskId: string;
    readonly attempt: number;
    readonly runId: string;
    readonly runStatus: RunStatus;
    readonly outcome: FailureClass;
    readonly nextTaskId: string | undefined;
    /** The recorded reply, given again; nothing was recorded now. */
    readonly repeated: boolean;
}
/**
 * Takes a worker's word that it could not take the run further: it waits (the task is closed as completed), replay is
 * blocked (no further task until the code is corrected), or it failed (a replacement after a back-off). No event.
 *
 * @source failWorkflowTask; worker plane §6.7, protocol/README "Ordinary task failure"
 */
declare const failWorkflowTask: (input: FailWorkflowTask) => Operation<WorkflowTaskFailed, FenceReason>;

/**
 * Renews the lease of a workflow task that its owner still holds: check and renewal are one decision under the lock
 * (L-07), so exactly one of renewal and replacement wins.
 *
 * A run whose deadline has passed renews nothing; the sweep closes it.
 *
 * @source heartbeatWorkflowTask; L-07, L-09
 */
declare const heartbeatWorkflowTask: (input: Reporter) => Operation<{
    run: Run;
    task: WorkflowTask;
}, FenceReason>;

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

/** A list query as a tree, or what is wrong with its text. */
type ParsedListQuery = {
    readonly kind: 'filter';
    readonly filter: ListFilter;
} | {
    readonly kind: 'problem';
    readonly problem: string;
};
/** Reads a list query; text that is no predicate matches workflow id and business key by substring. */
declare function parseListQuery(query: string): ParsedListQuery;

/** What keeps a run going, or that nothing does. */
interface Liveness {
    readonly state: 'closed' | 'workflow_replay_blocked' | 'repair_needed' | 'workflow_task_ready' | 'workflow_task_leased' | 'waiting_for_activity' | 'timer_scheduled' | 'waiting_for_signal' | 'waiting_for_condition';
    /** Why a repair would act, in words; undefined when it would not. */
    readonly repairReason: string | undefined;
    /** What the run waits for: activity, timer, signal, condition or workflow-task; undefined when for nothing. */
    readonly waitKind: string | undefined;
}
/** Judges a run by its own fields and its open workflow task. @param task the one that the run names, if it names one */
declare function livenessOf(run: Run, task: WorkflowTask | undefined, now: number): Liveness;

/** What is open in a run. */
interface OpenWork {
    readonly workflowTask: WorkflowTask | undefined;
    readonly activities: readonly Activity[];
    readonly timers: readonly Timer[];
    readonly waits: readonly Wait[];
}

/** The run that an id belongs to; a malformed id yields a run that does not exist. */
declare function runIdOf(id: string): string;
/** The lock that an id of a run, or the run id itself, follows from. */
declare function lockOf(id: string): string;

/** Formats an instant of the engine (epoch milliseconds) as `YYYY-MM-DDTHH:MM:SS.ffffffZ`. */
declare function formatInstant(epochMs: number): string;

/** Something that an operator should look at. */
interface Finding {
    readonly severity: 'warning' | 'error';
    readonly code: 'no_active_pollers' | 'expired_leases' | 'task_problem' | 'workflow_replay_blocked';
    readonly message: string;
}
/** Why a run waits, in words, and what stands in its way. */
interface Explanation {
    /** One sentence each, the next thing to happen first. */
    readonly sentences: readonly string[];
    readonly findings: readonly Finding[];
}

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
        readonly liveness: Liveness$1 | undefined;
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

/** Decides one operation and answers after its commit. */
type Execute = <Reply, Reason extends string>(operation: Operation<Reply, Reason>) => Promise<Outcome<Reply, Reason>>;

/** A part of a run's history. */
interface HistoryPage {
    readonly events: readonly HistoryEvent[];
    /** Position of the newest event of the run. */
    readonly total: number;
    /** Events before the first of this page that the worker keeps in its cache; 0 for a page from the start. */
    readonly offset: number;
    /** The position after which the next page begins; undefined at the end. */
    readonly nextAfter: number | undefined;
}
/** A run and its workflow. */
interface FoundRun {
    readonly kind: 'found';
    readonly run: Run;
    readonly workflow: Workflow;
}
/** There is no such workflow in the namespace, or no such run of it. */
type NotFound = Refused<'instance_not_found' | 'run_not_found'>;
/** All that an operator asks of one run. */
interface DebugDocument extends FoundRun {
    readonly work: OpenWork;
    readonly heldSignals: readonly Signal[];
    readonly explanation: Explanation;
    /** Registered workers of its queue that serve its type. */
    readonly pollers: number;
    readonly lastEvent: HistoryEvent | undefined;
    readonly generatedAt: number;
}
/** What the checker found: runs whose reason to move has no rows behind it. */
interface ProgressReport {
    readonly checked: number;
    readonly problems: readonly {
        readonly runId: string;
        readonly workflowId: string;
        readonly problem: string;
    }[];
    /** Where the next page begins; undefined at the end. */
    readonly next: string | undefined;
}
/** Everything that can be read. */
declare class Views {
    #private;
    constructor(store: Store, clock: Clock);
    describe(address: RunAddress): Promise<FoundRun | NotFound>;
    listWorkflows(query: WorkflowListQuery): Promise<readonly Run[]>;
    listRuns(address: {
        namespace: string;
        workflowId: string;
    }): Promise<readonly Run[] | NotFound>;
    /** A page of a run's history after a position. @param query.limit events; the server bounds it */
    history(query: RunAddress & {
        readonly after: number;
        readonly limit: number;
    }): Promise<(FoundRun & {
        readonly page: HistoryPage;
    }) | NotFound>;
    /** A page for the worker that holds the run's task; the fence is the heartbeat's. */
    taskHistory(query: Reporter & {
        readonly after: number;
        readonly limit: number;
    }): Promise<{
        readonly kind: 'found';
        readonly run: Run;
        readonly task: WorkflowTask;
        readonly page: HistoryPage;
    } | Refused<FenceReason>>;
    /** Events of a run after a position, at most `limit`, up to the run's last. */
    page(run: Run, after: number, limit: number, offset?: number): Promise<HistoryPage>;
    debug(address: RunAddress): Promise<DebugDocument | NotFound>;
    namespaces(): Promise<readonly Namespace[]>;
    namespace(name: string): Promise<Namespace | undefined>;
    registration(namespace: string, workerId: string): Promise<Registration | undefined>;
    /** Checks a page of open runs, in order of their run id, for a reason to move without rows behind it. */
    checkProgress(page: {
        readonly after: string | undefined;
        readonly limit: number;
    }): Promise<ProgressReport>;
}

/** A held poll of a worker. */
interface PollRequest {
    readonly kind: TaskKind;
    readonly namespace: string;
    readonly taskQueue: string;
    readonly workerId: string;
    readonly buildId?: string | undefined;
    /** The same id again collects the claim whose reply was lost (L-18). */
    readonly pollRequestId?: string | undefined;
    /** How long to hold the poll, in ms; 0 is a probe. */
    readonly timeoutMs: number;
    /** The header of the request, like `1.19`; part of the claim proof. */
    readonly protocolVersion: string;
    /** Events of the first history page; default `settings.historyPageSize`. */
    readonly historyPageSize?: number | undefined;
    /** Aborts when the client goes. */
    readonly signal?: AbortSignal | undefined;
}
/** A leased workflow task with the history that its worker lacks. */
interface WorkflowTaskClaim {
    readonly run: Run;
    readonly task: WorkflowTask;
    readonly history: HistoryPage;
}
/** A leased activity task: the execution and the attempt that was started. */
interface ActivityTaskClaim {
    readonly activity: Activity;
    readonly attemptId: string;
}
/** A leased question with the run's history. */
interface QueryTaskClaim {
    readonly queryTask: QueryTask;
    readonly run: Run;
    /** Whole: there are no pages for queries. */
    readonly history: readonly HistoryEvent[];
}
/** What a poll ends with. */
type PollResult = {
    readonly kind: 'workflow';
    readonly claim: WorkflowTaskClaim;
} | {
    readonly kind: 'activity';
    readonly claim: ActivityTaskClaim;
} | {
    readonly kind: 'query';
    readonly claim: QueryTaskClaim;
} | {
    readonly kind: 'empty';
    readonly status: 'empty' | 'draining' | 'no_workflow_capability' | 'no_activity_capability';
} | Refused<'worker_not_registered' | 'task_queue_mismatch' | 'build_id_mismatch' | 'worker_draining'>;
/** Free slots that a worker offers with a report (design.md §7, hand-over). */
interface HandOverOffer {
    readonly namespace: string;
    readonly workerId: string;
    /** A poll with this id collects what a lost reply carried. */
    readonly pollRequestId: string;
    /** The header of the report, part of the claim proof. */
    readonly protocolVersion: string;
    readonly workflowTasks: number;
    readonly activityTasks: number;
}
/** The tasks that a report made ready and that its reporter holds now; the claims are those of polls. */
interface HandedOver {
    readonly workflowTasks: readonly WorkflowTaskClaim[];
    readonly activityTasks: readonly ActivityTaskClaim[];
}

/** Which runs a pass looks at: those that are named, or whatever waits in the namespace. */
interface RepairPass {
    readonly namespace: string;
    readonly runIds: readonly string[];
    readonly workflowId: string | undefined;
}
/** A candidate that threw. */
interface RepairFailure {
    readonly id: string;
    readonly message: string;
}
/** What a pass found, did and could not do. */
interface RepairReport {
    /** Too soon after the last one: nothing was looked at. */
    readonly throttled: boolean;
    /** Whether the throttle counts: not for a pass that names its runs. */
    readonly respectsThrottle: boolean;
    /** Workflow tasks whose lease has expired. */
    readonly tasks: Handed;
    /** Runs without a workflow task that nothing will give one: replay is blocked. */
    readonly blockedRuns: Handed;
    /** Runs whose own deadline has passed. */
    readonly expiredRuns: Handed;
    /** Activities for which time has come. */
    readonly activities: Handed;
}
/** Candidates of one kind and what became of them; what another server was first with is neither repaired nor failed. */
interface Handed {
    readonly selected: number;
    readonly repaired: number;
    readonly failures: readonly RepairFailure[];
}
/** What waits for a repair in one namespace, by task queue. */
interface RepairStatus {
    readonly scopes: readonly RepairScope[];
    /** More candidates than one pass acts on. */
    readonly scanPressure: boolean;
    /** Epoch ms. */
    readonly oldestTaskCreatedAt: number | undefined;
    readonly oldestRunStartedAt: number | undefined;
}
/** What waits in one task queue. */
interface RepairScope {
    readonly taskQueue: string;
    readonly tasks: number;
    readonly blockedRuns: number;
    /** How many of them the next pass would act on. */
    readonly selected: number;
}
interface RepairOptions {
    readonly store: Store;
    readonly clock: Clock;
    readonly execute: Execute;
}
/** Repair of whole namespaces; made by the engine. */
declare class Repair {
    #private;
    constructor(options: RepairOptions);
    /** Counts what waits for a repair, at most `engineLimits.repairCountMax` of a kind. */
    status(namespace: string): Promise<RepairStatus>;
    /** Acts on what waits, `engineLimits.repairScanRows` of a kind. Errors of single candidates are in the report (PA2). */
    pass(input: RepairPass): Promise<RepairReport>;
    /**
     * Resumes the blocked runs of the types that a worker has just registered with another definition than the one that was
     * blocked. All are awaited: a worker that is registered finds them ready.
     */
    resumeFor(registration: Registration): Promise<void>;
}

/** What an engine is made of; all but the store has a default. */
interface EngineOptions {
    readonly store: Store;
    readonly settings?: Partial<EngineSettings>;
    /** Default: the machine's own time. */
    readonly clock?: Clock;
    readonly chance?: Chance;
    /** Met at the five named points of each group; for crash and race tests. */
    readonly probe?: Probe;
    /** Hears what happens, for metrics. Default: nobody. */
    readonly observer?: Observer;
    /** Told of an error in a loop that goes on: a scan that failed and will be repeated. Default: nothing is told. */
    readonly onError?: (error: unknown) => void;
}
/** A question to a run. */
interface QueryInput extends RunAddress {
    readonly queryName: string;
    readonly arguments: Envelope | undefined;
    /** Aborts the wait, not the question. */
    readonly signal?: AbortSignal | undefined;
}
/** What became of a question: the worker's value, the worker's own words, or a refusal of ours. */
type QueryAnswer = {
    readonly kind: 'answered';
    readonly run: Run;
    readonly result: Json | undefined;
    readonly envelope: Envelope | undefined;
}
/** The worker's own words. */
 | {
    readonly kind: 'failed';
    readonly run: Run;
    readonly reason: string;
    readonly message: string;
    readonly validationErrors: Json | undefined;
} | Refused<'instance_not_found' | 'run_not_found' | 'run_not_active' | 'query_worker_unavailable' | 'query_task_queue_full' | 'query_worker_timeout' | 'query_task_not_claimed'>;
/** What a worker says of itself when it registers. */
type RegisterInput = Omit<RegisterWorker, 'registrationId'>;
/** Makes an engine on a store; `start` sets it going. */
declare function createEngine(options: EngineOptions): Engine;
/** The door, the polls, the views; made by `createEngine`. */
declare class Engine {
    #private;
    readonly settings: EngineSettings;
    readonly clock: Clock;
    readonly views: Views;
    readonly repair: Repair;
    constructor(options: EngineOptions);
    /** Whether polls are held, and how many are. */
    get status(): {
        readonly accepting: boolean;
        readonly waiters: number;
    };
    /** Makes the default namespace if it is missing, and starts to look for what is due and ready. */
    start(): Promise<void>;
    /**
     * Decides one operation in the next group and resolves after its commit.
     *
     * @throws StoreUnavailableError (nothing was written), CommitUnknownError, InvariantError (a bug of ours; only this operation is lost)
     */
    execute<Reply, Reason extends string>(operation: Operation<Reply, Reason>): Promise<Outcome<Reply, Reason>>;
    /**
     * Executes a report and hands over, in the same commit, tasks that it made ready, as far as its reporter offers slots
     * for them. Each claim is the claim that a poll would have got (design.md §7, hand-over).
     */
    report<Reply extends {
        readonly repeated: boolean;
    }, Reason extends string>(operation: Operation<Reply, Reason>, offer: HandOverOffer | undefined): Promise<{
        readonly outcome: Outcome<Reply, Reason>;
        readonly handedOver: HandedOver | undefined;
    }>;
    /** A new run id of a workflow. */
    newRunId(workflowId: string): string;
    /** A new workflow id, for starts that name none. */
    newWorkflowId(): string;
    /** Holds a poll until a task is claimed for it, its time is up, its signal aborts or the engine drains. */
    poll(request: PollRequest): Promise<PollResult>;
    /** Registers a worker, see `Registrations.register`; then runs whose replay is blocked get a task if its code is other. */
    register(input: RegisterInput): Promise<{
        outcome: Outcome<{
            registration: Registration;
        }, "namespace_not_found" | "workflow_definition_changed">;
        recoveredWorkflowTaskCount: number;
    }>;
    deregister(input: {
        readonly namespace: string;
        readonly workerId: string;
    }): Promise<{
        outcome: Outcome<{
            registration: Registration;
        }, "worker_not_found">;
        recoveredWorkflowTaskCount: number;
    }>;
    /** Asks a run a question and waits for a worker's answer, at most `settings.queryTimeoutMs`. */
    query(input: QueryInput): Promise<QueryAnswer>;
    /** Waits for something that a probe finds; see `Outcomes.await`. @param deadline epoch ms */
    awaitOutcome<Found>(key: OutcomeKey, deadline: number, probe: () => Promise<Found | undefined>, signal?: AbortSignal): Promise<Found | undefined>;
    /** Stops claiming; held polls answer empty. */
    drain(): Promise<void>;
    /** Drains and finishes every commit under way; the store stays open. */
    close(): Promise<void>;
}
/** The attempt id of the attempt that an activity is in. */
declare function currentAttemptId(activity: {
    readonly activityId: string;
    readonly attempt: number;
}): string;

export { CommitUnknownError, Engine, InvariantError, Repair, StoreUnavailableError, Views, cancelWorkflow, completeActivityTask, completeQueryTask, completeWorkflowTask, createEngine, createNamespace, currentAttemptId, defaultNamespace, engineLimits, failActivityTask, failQueryTask, failWorkflowTask, formatInstant, heartbeatActivityTask, heartbeatWorker, heartbeatWorkflowTask, isOpen, livenessOf, lockOf, parseListQuery, repairWorkflow, requestCancellation, runIdOf, signalWorkflow, startWorkflow, statusBucket, terminateWorkflow };
export type { Accepted, Activity, ActivityTaskClaim, ActivityTaskClosed, AttemptFailureReport, DebugDocument, EngineOptions, EngineSettings, Envelope, Explanation, Finding, FoundRun, HandOverOffer, Handed, HandedOver, HeartbeatReply, HistoryEvent, HistoryPage, Json, JsonObject, Lease, ListFilter, Namespace, NotFound, Observer, OpenWork, Operation, Outcome, OutcomeKey, ParsedListQuery, PollRequest, PollResult, ProcessIdentity, ProgressReport, QueryAnswer, QueryInput, QueryTask, QueryTaskClaim, Refused, RegisterInput, Registration, Rejected, RepairFailure, RepairPass, RepairReply, RepairReport, RepairScope, RepairStatus, Resume, Run, RunFailure, Liveness as RunLiveness, SignalReply, StartReply, StartWorkflow, TaskFailure, Workflow, WorkflowTask, WorkflowTaskClaim, WorkflowTaskCompleted, WorkflowTaskFailed };
