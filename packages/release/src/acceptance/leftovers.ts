// What programs left behind: processes, ports that somebody still listens on, files in folders that must be empty.
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import type { Place } from './place.ts'

/** A process that still lives. */
export interface LeftProcess {
  readonly pid: number
  /** Its command line, as far as the system tells it. */
  readonly command: string
}

/** The living processes that carry the mark of a place in their environment: ours, and all that they started. */
export function leftProcesses({ mark }: Place): LeftProcess[] {
  return existsSync('/proc/self/environ') ? markedInProc(mark) : markedByPs(mark)
}

function markedInProc(mark: string): LeftProcess[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => readGone(`/proc/${pid}/environ`).split('\0').includes(mark))
    .map((pid) => ({
      pid: Number(pid),
      command: readGone(`/proc/${pid}/cmdline`).split('\0').join(' ').trim(),
    }))
}

/** A process may end, or be another user's: then there is nothing to read, and it is not ours. */
function readGone(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

/** Ports of IPv4 on which a process listens; where the system does not tell, none. */
export function portsOf({ pid }: LeftProcess): string[] {
  const table = readGone(`/proc/${pid}/net/tcp`).split('\n').slice(1)
  const sockets = new Set(openFilesOf(pid))
  return table.flatMap((line) => {
    const [, local = '', , state, , , , , , inode] = line.trim().split(/\s+/)
    const port = Number.parseInt(local.split(':')[1] ?? '', 16)
    return state === '0A' && sockets.has(`socket:[${inode}]`) ? [`port ${port} (pid ${pid})`] : []
  })
}

function openFilesOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`).map((file) => readlinkSync(`/proc/${pid}/fd/${file}`))
  } catch {
    return [] // it has ended meanwhile, and holds nothing
  }
}

function markedByPs(mark: string): LeftProcess[] {
  const lines = execFileSync('ps', ['-A', '-E', '-ww', '-o', 'pid=,command='], { encoding: 'utf8', maxBuffer: 1 << 26 })
  return lines.split('\n').flatMap((line) => {
    const [, pid = '', command = ''] = /^\s*(\d+)\s+(.*)$/.exec(line) ?? []
    return command.split(' ').includes(mark) && Number(pid) !== process.pid ? [{ pid: Number(pid), command }] : []
  })
}

/** Of addresses like `http://127.0.0.1:7400`, those where somebody takes connections. */
export async function openPorts(urls: readonly string[]): Promise<string[]> {
  const open = await Promise.all(urls.map(async (url) => ((await takesConnections(new URL(url))) ? [url] : [])))
  return open.flat()
}

function takesConnections({ hostname, port }: URL): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port), timeout: 2_000 })
    const settle = (answer: boolean) => {
      socket.destroy()
      resolve(answer)
    }
    socket.once('connect', () => settle(true))
    // Whoever keeps us waiting holds the port.
    socket.once('timeout', () => settle(true))
    socket.once('error', () => settle(false))
  })
}

/** What lies in the folders of a place that must be empty in the end. */
export const leftFiles = ({ folder }: Place): string[] =>
  ['tmp', 'home'].flatMap((name) => readdirSync(join(folder, name)).map((file) => `${name}/${file}`))
