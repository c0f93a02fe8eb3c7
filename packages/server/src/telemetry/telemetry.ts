import type { Observer } from '@durable-workflow/engine'
import { createMetrics, type Metrics, type MetricsOptions } from './metrics.ts'
import { createWrites, type Writes } from './writes.ts'

/** What a server knows of itself: its metrics, and whether commits come through. */
export interface Telemetry {
  readonly metrics: Metrics
  readonly writes: Writes
  /** Hand it to the engine. */
  readonly observer: Observer
  /** Any error that a request met, or a loop of the engine: those of the store are counted and remembered. */
  failed(error: unknown): void
}

/** Makes the telemetry of one server; hand its observer to the engine and all of it to the server. */
export function createTelemetry(options: MetricsOptions = {}): Telemetry {
  const metrics = createMetrics(options)
  const writes = createWrites()
  const { observer } = metrics
  return {
    metrics,
    writes,
    observer: {
      ...observer,
      answered(kind, outcome, reason) {
        observer.answered(kind, outcome, reason)
        // A refusal is answered after a commit too, of nothing: it says nothing about the disk.
        if (outcome === 'accepted') writes.cameThrough()
      },
    },
    failed(error) {
      metrics.storeError(error)
      writes.failed(error)
    },
  }
}
