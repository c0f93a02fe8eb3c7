import { execFileSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A file system of so many MiB; it goes at the end of its scope. */
export interface SmallDisk extends AsyncDisposable {
  readonly folder: string
  /** Takes all the room that is left. */
  fill(): Promise<void>
  /** Gives it back. */
  makeRoom(): Promise<void>
}

/** Whether this process may make one: only root may. */
export const mayMountDisks = process.getuid?.() === 0 && process.platform === 'linux'

export async function mountSmallDisk(mebibytes: number): Promise<SmallDisk> {
  const folder = await mkdtemp(join(tmpdir(), 'durable-workflow-disk-'))
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${mebibytes}m`, 'tmpfs', folder])
  const filler = join(folder, 'filler')
  return {
    folder,
    async fill() {
      for (let bytes = 1024 * 1024; bytes >= 4096; bytes /= 2) {
        while (await hasRoomFor(filler, bytes));
      }
    },
    makeRoom: () => rm(filler),
    async [Symbol.asyncDispose]() {
      execFileSync('umount', ['-l', folder])
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function hasRoomFor(file: string, bytes: number): Promise<boolean> {
  try {
    await writeFile(file, Buffer.alloc(bytes), { flag: 'a' })
    return true
  } catch {
    // The disk is full, or has less room than that: the caller asks for less.
    return false
  }
}
