/** What a task asks of a poller. */
export interface Offer {
  readonly kind: 'workflow' | 'activity' | 'query'
  readonly namespace: string
  readonly taskQueue: string
  readonly type: string
}

/** What a poller can take. */
export interface Taker {
  readonly kind: 'workflow' | 'activity' | 'query'
  readonly namespace: string
  readonly taskQueue: string
  readonly types: ReadonlySet<string>
}

/** Where a task and its pollers meet. */
export function queueKey(place: {
  readonly kind: string
  readonly namespace: string
  readonly taskQueue: string
}): string {
  return `${place.kind}\n${place.namespace}\n${place.taskQueue}`
}

/** The first poller, in order of arrival, that can take the task; a pure function of task and pollers (DI2). */
export function firstTaker<Poller extends Taker>(offer: Offer, pollers: Iterable<Poller>): Poller | undefined {
  for (const poller of pollers) {
    const samePlace =
      poller.kind === offer.kind && poller.namespace === offer.namespace && poller.taskQueue === offer.taskQueue
    if (samePlace && poller.types.has(offer.type)) return poller
  }
  return undefined
}
