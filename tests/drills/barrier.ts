import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { waitFor } from '../support/wait-for.ts'

/** A named point of one kind of operation at which servers of a test stop until they are released. */
export interface Barrier extends AsyncDisposable {
  /** The setting for the servers that stop there. */
  readonly env: Readonly<Record<string, string>>
  /** Waits until the server stands at the point; of several, each with its own process id. */
  reached(pid: number): Promise<void>
  /** Lets through whoever stands there, and whoever comes, until `hold`. */
  release(): Promise<void>
  /** Stops whoever comes from now on. */
  hold(): Promise<void>
}

export type Point = 'gathered' | 'locked' | 'decided' | 'written' | 'committed'

/** @param isOpen  whether everybody passes until `hold` is called */
export async function createBarrier(point: Point, kind: string, isOpen = false): Promise<Barrier> {
  const folder = await mkdtemp(join(tmpdir(), 'durable-workflow-barrier-'))
  const barrier: Barrier = {
    env: { DW_TEST_BARRIER: `${point}:${kind}:${folder}` },
    async reached(pid) {
      await waitFor(`server ${pid} is at "${point}" of ${kind}`, () => readdir(folder), {
        until: (names) => names.includes(`reached-${pid}`),
        intervalMs: 5,
      })
    },
    release: () => writeFile(join(folder, 'release'), ''),
    async hold() {
      for (const name of await readdir(folder)) await rm(join(folder, name))
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  }
  if (isOpen) await barrier.release()
  return barrier
}
