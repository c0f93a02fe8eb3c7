import { hostname } from 'node:os'

export interface ProcessMetrics {
  process_uptime_seconds: number
  process_id: number
  process_started_at: string
  memory_bytes: number
  cpu_percent: number
  host: string
}

const startedAt = new Date(Date.now() - process.uptime() * 1_000).toISOString()

/** Tells this process from another one under the same worker id, and how it fares. */
export function processMetrics(): ProcessMetrics {
  const { user, system } = process.cpuUsage()
  const uptimeSeconds = process.uptime()
  return {
    process_uptime_seconds: Math.floor(uptimeSeconds),
    process_id: process.pid,
    process_started_at: startedAt,
    memory_bytes: process.memoryUsage.rss(),
    cpu_percent: Math.round((user + system) / (uptimeSeconds * 100)) / 100,
    host: hostname().slice(0, 255),
  }
}
