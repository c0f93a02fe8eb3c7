import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const exitCodes = { SIGINT: 130, SIGTERM: 143 } as const

/**
 * Works in a new folder below the system's temporary one. It is gone when the work ends, however it ends: on Ctrl-C and on
 * SIGTERM the program ends, too, with 130 and 143.
 *
 * @param prefix  of the folder's name: `rel-clone-`
 */
export async function inOwnFolder<T>(prefix: string, work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), prefix))
  // A tool that is being ended may still write there.
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 })
  const end = (signal: keyof typeof exitCodes) => process.exit(exitCodes[signal])
  process.once('exit', remove)
  process.once('SIGINT', end)
  process.once('SIGTERM', end)
  try {
    return await work(folder)
  } finally {
    process.removeListener('exit', remove)
    process.removeListener('SIGINT', end)
    process.removeListener('SIGTERM', end)
    remove()
  }
}
