// All that `@durable-workflow/testing` opens to its users. Written by `pnpm surface:accept`.

export { ReplayReport, replayHistory as replay } from '@durable-workflow/sdk/replay';
import { WorkflowImplementation, ActivityImplementation, Duration, DurableWorkflowError } from '@durable-workflow/sdk';
import { WorkflowHandle, Client, RecordedEvent } from '@durable-workflow/sdk/client';
import { WorkerOptions } from '@durable-workflow/sdk/worker';

/** What a worker of an environment may say besides its code; as in `createWorker`. */
interface WorkerTuning extends Pick<WorkerOptions, 'buildId' | 'maxConcurrentWorkflowTasks' | 'maxConcurrentActivityTasks' | 'pollers' | 'pollTimeoutSeconds' | 'stickyCacheBytes' | 'shutdownTimeout'> {
}

/** The code of a worker: what it runs, and where it polls. */
interface WorkerParts extends WorkerTuning {
    /** Default: one for the whole process, since its code does not change. */
    readonly buildId?: string | undefined;
    readonly workflows?: readonly WorkflowImplementation[] | undefined;
    readonly activities?: readonly ActivityImplementation[] | undefined;
    /** Default: the environment's. */
    readonly taskQueue?: string | undefined;
}
/** How an environment is made; everything has a default. */
interface EnvironmentOptions extends WorkerParts {
    /** `manual` (default): time stands still but for `advance`. `auto`: while somebody waits, it jumps whenever nothing can run. */
    readonly time?: 'manual' | 'auto' | undefined;
    /** Where time begins; default 2026-01-01T00:00:00Z. */
    readonly startAt?: Date | undefined;
    /** Ids, and the order of what is ready at the same instant, are drawn from it. Default: always the same ids, first come first served. */
    readonly seed?: number | undefined;
    /** Instants at which `auto` stops for one wait before it gives up; default 10,000. */
    readonly stopsMax?: number | undefined;
    /** Whether closing the environment replays every run that it recorded, see `verifyReplays`; default true. */
    readonly verifyReplays?: boolean | undefined;
    /** Where server and workers write their logs; default `silent`. */
    readonly log?: 'silent' | 'stderr' | undefined;
}
/** A worker of an environment. */
interface EnvironmentWorker {
    readonly workerId: string;
    /** False once it was stopped or crashed. */
    readonly isAlive: boolean;
    /** Lets its tasks end, then stops it and tells the server. */
    stop(): Promise<void>;
}
/** A run of the environment: a handle of its client, or both of its ids. */
type RunOf = Pick<WorkflowHandle, 'workflowId' | 'runId'>;
/** A server, workers and a client that share one virtual clock; made by `testEnvironment`. */
interface TestEnvironment extends AsyncDisposable {
    /** A client of the environment's server; runs start on the environment's task queue unless they name another. */
    readonly client: Client;
    /** Default `default`. */
    readonly taskQueue: string;
    /** The workers that live, oldest first. */
    readonly workers: readonly EnvironmentWorker[];
    /** The virtual instant. */
    now(): Date;
    /**
     * Lets time pass: everything that becomes due on the way runs, one instant after the other. Resolves at rest at the new instant;
     * `advance(0)` only waits for rest.
     *
     * @throws RangeError for an instant in the past; Error when an activity calls it, which time waits for
     */
    advance(by: Duration | Date): Promise<void>;
    /**
     * Waits for virtual time: for activities of a test that take long. Time passes beside an activity only while it waits here.
     *
     * @throws the reason of `signal`
     */
    sleep(duration: Duration, signal?: AbortSignal): Promise<void>;
    /** Starts a worker, of the environment's own code unless parts are given; resolves when it polls. */
    startWorker(parts?: WorkerParts): Promise<EnvironmentWorker>;
    /**
     * Ends a worker as SIGKILL does: nothing that it does reaches the server any more, and its leases stay until they expire.
     *
     * @param worker default: the oldest that lives
     */
    crashWorker(worker?: EnvironmentWorker): Promise<void>;
    /** Ends the server as SIGKILL does and starts another one on the same data; open requests lose their connection. */
    restartServer(): Promise<void>;
    /** The recorded events of a run, oldest first. */
    history(run: RunOf): Promise<RecordedEvent[]>;
    /** Why a run waits, in sentences. */
    explain(run: RunOf): Promise<string[]>;
    /**
     * Replays the history of every run cold, with the code that workers of this environment had: what an open run meets when its
     * worker is restarted. Closing the environment does it too.
     *
     * @throws NonDeterminismError, GuardError … of the first run whose code does not fit; AggregateError for several
     */
    verifyReplays(): Promise<void>;
}

/**
 * Makes an environment, with one worker if workflows or activities are given.
 *
 * @example
 * await using env = await testEnvironment({ workflows: [checkoutImpl], activities: [charge.implement(async () => ({ paymentId: 'p1' }))] })
 * const run = await env.client.start(checkout, { input: order })
 * await env.advance('2 days')
 */
declare function testEnvironment(options?: EnvironmentOptions): Promise<TestEnvironment>;

/** What may befall a request of a worker. */
declare const faultKinds: readonly ["lost request", "lost reply", "repeated request", "worker crash before", "worker crash after", "server restart before", "server restart after", "clock jump"];
/** A fault as data: it names its request by the operation and its number, so that it means the same in every run of its seed. */
interface Fault {
    readonly kind: (typeof faultKinds)[number];
    /** The operation, like `activity-tasks/complete`. */
    readonly at: string;
    /** Counted from 1 over all workers. */
    readonly nth: number;
    /** How far a `clock jump` goes. */
    readonly ms?: number | undefined;
}

/** What somebody waits for cannot come: nothing runs, and no time is due that would change that. */
declare class NothingDueError extends DurableWorkflowError {
    static readonly brandName: string;
}
/** A scenario failed under a seed; `trace` is every request of that run, `faults` are the fewest that make it fail. */
declare class SimulationError extends DurableWorkflowError {
    static readonly brandName: string;
    readonly seed: number;
    readonly faults: readonly Fault[];
    readonly trace: readonly string[];
    constructor(message: string, { seed, faults, trace, cause }: Pick<SimulationError, 'seed' | 'faults' | 'trace' | 'cause'>);
}
/** The environment is closed. */
declare class EnvironmentClosedError extends DurableWorkflowError {
    static readonly brandName: string;
}

/** What is simulated: it starts its workers in the environment, does what it likes, and throws where something is wrong. */
type Scenario = (env: TestEnvironment) => Promise<void>;
/** Which seeds run, and what they have in common. */
interface SimulationOptions extends Pick<EnvironmentOptions, 'taskQueue' | 'startAt' | 'stopsMax' | 'verifyReplays' | 'log'> {
    /** How many seeds, from 1 on; default 100. */
    readonly seeds?: number | undefined;
    /** Only this seed. */
    readonly seed?: number | undefined;
    /** With `seed`: exactly these faults, in place of those that it draws. */
    readonly faults?: readonly Fault[] | undefined;
    /** Default `auto`. */
    readonly time?: EnvironmentOptions['time'];
}
/** What a simulation that found nothing has done. */
interface SimulationReport {
    readonly seeds: number;
    /** Requests of all worlds. */
    readonly requests: number;
    readonly faults: Readonly<Record<Fault['kind'], number>>;
    /** The requests of the last seed, one a line. */
    readonly trace: readonly string[];
}
/**
 * Runs a scenario once for each seed, in an environment in which workers crash, servers restart, requests and replies are lost or come
 * twice, and the clock jumps; a worker that ended is replaced at once by one with the same code.
 *
 * The same seed is the same run as long as the scenario and its activities take time and chance from the environment
 * (`env.now`, `env.sleep`) and wait for nothing else.
 *
 * @throws SimulationError with the seed, the fewest faults that make it fail, and how to run it alone
 * @example
 * await simulate(async (env) => {
 *   const bank = createBank()
 *   await env.startWorker({ workflows: [checkoutImpl], activities: [bank.charge] })
 *   await env.client.execute(checkout, { input: order })
 *   expect(bank.charges).toBe(1)
 * }, { seeds: 1000 })
 */
declare function simulate(scenario: Scenario, options?: SimulationOptions): Promise<SimulationReport>;

export { EnvironmentClosedError, NothingDueError, SimulationError, faultKinds, simulate, testEnvironment };
export type { EnvironmentOptions, EnvironmentWorker, Fault, RunOf, Scenario, SimulationOptions, SimulationReport, TestEnvironment, WorkerParts, WorkerTuning };
