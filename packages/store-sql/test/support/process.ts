import { type ChildProcessWithoutNullStreams, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const script = fileURLToPath(new URL('./child.ts', import.meta.url))

export interface OtherServerOptions {
  readonly uid?: number
  /** Files may not grow beyond this many blocks of 512 bytes, until they may (Linux). */
  readonly fileBlocksMax?: number
}

/** A server process of its own on a database. */
export class OtherServer {
  readonly #process: ChildProcessWithoutNullStreams
  readonly #lines: AsyncIterator<string>
  readonly #exited: Promise<unknown>
  #complaints = ''

  constructor(mode: string, url: string, { uid, fileBlocksMax }: OtherServerOptions = {}) {
    const node = ['--conditions=source', '--disable-warning=ExperimentalWarning', script, mode, url]
    const limit = fileBlocksMax === undefined ? '' : `ulimit -S -f ${fileBlocksMax};`
    this.#process = spawn('/bin/sh', ['-c', `${limit} exec "$0" "$@"`, process.execPath, ...node], {
      ...(uid === undefined ? {} : { uid }),
    })
    this.#process.stderr.on('data', (chunk) => {
      this.#complaints += String(chunk)
    })
    this.#lines = createInterface({ input: this.#process.stdout })[Symbol.asyncIterator]()
    this.#exited = once(this.#process, 'exit')
  }

  /** The next line that it says. */
  async says(): Promise<string> {
    const next = await this.#lines.next()
    if (next.done === true) throw new Error(`The other server ended without a word. ${this.#complaints}`)
    return next.value
  }

  /** Takes the limit of `fileBlocksMax` away (Linux). */
  letFilesGrow(): void {
    execFileSync('prlimit', [`--pid=${this.#process.pid}`, '--fsize=unlimited:'])
  }

  tell(): void {
    this.#process.stdin.write('\n')
  }

  async kill(): Promise<void> {
    this.#process.kill('SIGKILL')
    await this.#exited
  }

  async ended(): Promise<void> {
    await this.#exited
  }
}
