// Metrics in Prometheus' text format: where a scraper looks, and on the control plane (control plane 2, §15).
import type { Answer } from '../reply.ts'
import { type Route, route } from '../route.ts'
import type { ServerContext } from '../server-context.ts'

export const metricsRoutes: readonly Route[] = [
  route('getMetrics', ({ server }) => text(server), { takesAnyQuery: true }),
  route('getPrometheusMetrics', ({ server }) => text(server)),
]

async function text({ telemetry: { metrics } }: ServerContext): Promise<Answer> {
  return { kind: 'plain', contentType: metrics.contentType, text: await metrics.text() }
}
