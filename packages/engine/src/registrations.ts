import {
  deregisterWorker,
  isSameProcess,
  type RegisterWorker,
  registerWorker,
  releaseActivityTask,
  releaseWorkflowTask,
} from './core/operations/index.ts'
import { type Registration, workerKey } from './core/state/registration.ts'
import type { Clock, HeldLease, Store, TaskKind } from './ports.ts'
import type { Execute } from './unit-of-work.ts'
import type { Views } from './views.ts'

export interface RegistrationsOptions {
  readonly store: Store
  readonly clock: Clock
  readonly views: Views
  readonly execute: Execute
  /** How long a registration is trusted without looking, in ms. */
  readonly maxAgeMs: number
  /** Ends the held polls of a worker, but for those of the registration that is named. */
  readonly dismiss: (namespace: string, workerId: string, registrationId?: string) => void
}

export class Registrations {
  readonly #store: Store
  readonly #clock: Clock
  readonly #views: Views
  readonly #execute: Execute
  readonly #maxAgeMs: number
  readonly #dismiss: RegistrationsOptions['dismiss']
  readonly #types = new WeakMap<Registration, { readonly workflow: Set<string>; readonly activity: Set<string> }>()
  readonly #known = new Map<string, { registration: Registration; readAt: number }>()

  constructor(options: RegistrationsOptions) {
    this.#store = options.store
    this.#clock = options.clock
    this.#views = options.views
    this.#execute = options.execute
    this.#maxAgeMs = options.maxAgeMs
    this.#dismiss = options.dismiss
  }

  async find(namespace: string, workerId: string): Promise<Registration | undefined> {
    const key = workerKey(namespace, workerId)
    const known = this.#known.get(key)
    if (known !== undefined && this.#clock.now() - known.readAt < this.#maxAgeMs) return known.registration
    const registration = await this.#views.registration(namespace, workerId)
    if (registration === undefined) this.#known.delete(key)
    else this.#known.set(key, { registration, readAt: this.#clock.now() })
    return registration
  }

  /** The types that a worker takes tasks of, made once for each registration: every poll asks. */
  typesOf(registration: Registration, kind: TaskKind): ReadonlySet<string> {
    const known = this.#types.get(registration) ?? {
      workflow: new Set(registration.workflowTypes),
      activity: new Set(registration.activityTypes),
    }
    this.#types.set(registration, known)
    return kind === 'activity' ? known.activity : known.workflow
  }

  /** Another server changed a registration. @param registrationId undefined when it is gone */
  noteChanged(namespace: string, workerId: string, registrationId: string | undefined): void {
    this.#known.delete(workerKey(namespace, workerId))
    this.#dismiss(namespace, workerId, registrationId)
  }

  /** Registrations may have changed unheard. */
  forgetAll(): void {
    this.#known.clear()
  }

  /** Registers a worker; another process under the same id first surrenders the leases of its predecessor (L-14). */
  async register(input: RegisterWorker) {
    const earlier = await this.#views.registration(input.namespace, input.workerId)
    const replaced = earlier !== undefined && !isSameProcess(earlier.process, input.process)
    const { namespace, workerId } = input
    const recoveredWorkflowTaskCount = replaced ? await this.#release(namespace, workerId) : 0
    const outcome = await this.#execute(registerWorker(input))
    this.#known.delete(workerKey(namespace, workerId))
    if (replaced) this.#dismiss(namespace, workerId)
    return { outcome, recoveredWorkflowTaskCount }
  }

  /** Deregisters a worker; its leases are set free first. `recoveredWorkflowTaskCount` counts what was released. */
  async deregister(namespace: string, workerId: string) {
    const known = await this.#views.registration(namespace, workerId)
    const recoveredWorkflowTaskCount = known === undefined ? 0 : await this.#release(namespace, workerId)
    const outcome = await this.#execute(deregisterWorker({ namespace, workerId }))
    this.#known.delete(workerKey(namespace, workerId))
    // Again: a poll may have come between the two, while the row still stood.
    this.#dismiss(namespace, workerId)
    return { outcome, recoveredWorkflowTaskCount }
  }

  // One release operation a lease, all through the door, all awaited.
  async #release(namespace: string, owner: string): Promise<number> {
    this.#dismiss(namespace, owner)
    const leases = await this.#store.find.leasedBy({ namespace, owner })
    const released = await Promise.all(leases.map((lease) => this.#releaseOne(lease, owner)))
    return released.filter((isWorkflowTask) => isWorkflowTask).length
  }

  async #releaseOne(lease: HeldLease, owner: string): Promise<boolean> {
    const surrender = { owner, attempt: lease.attempt }
    switch (lease.kind) {
      case 'workflow':
        return (await this.#execute(releaseWorkflowTask({ taskId: lease.id, surrender }))).kind === 'accepted'
      case 'activity':
        await this.#execute(releaseActivityTask({ activityId: lease.id, surrender }))
        return false
      case 'query':
        return false
    }
  }
}
