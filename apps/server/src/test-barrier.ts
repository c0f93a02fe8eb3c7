// A named point at which a test holds this server, so that two servers meet there (L-07). Never there in production: it
// is installed only when DW_TEST_BARRIER is set, and the start says so.

import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Probe } from '@durable-workflow/engine/ports'
import { ConfigError } from './config.ts'

const lookAgainMs = 10
const points: readonly string[] = ['gathered', 'locked', 'decided', 'written', 'committed']

/**
 * Reads `POINT:KIND:DIR`. At that point of every group that holds an operation of that kind the server writes
 * DIR/reached-PID and goes on when DIR/release is there.
 *
 * @throws ConfigError when the text is something else
 */
export function testBarrier(text: string): Probe {
  const [, point, kind, directory] = /^([a-z]+):(\w+):(.+)$/s.exec(text) ?? []
  if (point === undefined || kind === undefined || directory === undefined || !points.includes(point)) {
    throw new ConfigError(
      `DW_TEST_BARRIER ${JSON.stringify(text)} must be POINT:KIND:DIR with one of ${points.join(', ')}.`,
    )
  }
  return {
    async reached(at, kinds) {
      if (at !== point || !kinds.includes(kind)) return
      await writeFile(join(directory, `reached-${process.pid}`), '')
      while (!existsSync(join(directory, 'release'))) await wait(lookAgainMs)
    },
  }
}
