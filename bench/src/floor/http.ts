import { startProgram } from '@durable-workflow/tests/support/process'
import { Pool } from 'undici'
import { median, rounded } from '../statistics.ts'

const atATime = 50

/** Requests a second that an undici pool gets from a Fastify process that does nothing. */
export async function measureHttp(): Promise<number> {
  const server = await startProgram({
    name: 'empty server',
    command: process.execPath,
    args: [`${import.meta.dirname}/http-server.ts`],
  })
  try {
    const port = await server.waitForJson('its port', (line) => (typeof line.port === 'number' ? line.port : undefined))
    const pool = new Pool(`http://127.0.0.1:${port}`, { connections: atATime })
    try {
      await postsPerSecond(pool, 5_000)
      const repetitions: number[] = []
      for (let index = 0; index < 3; index += 1) repetitions.push(await postsPerSecond(pool, 20_000))
      return rounded(median(repetitions))
    } finally {
      await pool.close()
    }
  } finally {
    await server.kill()
  }
}

async function postsPerSecond(pool: Pool, count: number): Promise<number> {
  const body = JSON.stringify({ task_id: 'x'.repeat(32), result: { index: 1 } })
  let left = count
  const lane = async (): Promise<void> => {
    while (left > 0) {
      left -= 1
      const headers = { 'content-type': 'application/json' }
      await (await pool.request({ path: '/empty', method: 'POST', headers, body })).body.json()
    }
  }
  const began = performance.now()
  await Promise.all(Array.from({ length: atATime }, lane))
  return (count * 1_000) / (performance.now() - began)
}
