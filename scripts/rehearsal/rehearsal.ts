// What the steps of a rehearsal work with: the places, the programs, `rel` as a process.
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../published.ts'
import { type Children, commandLine, type Ended } from './children.ts'
import type { Places } from './places.ts'

/** A database of the acceptance; `argument` as `rel accept --database` takes it. */
export interface Database {
  readonly name: string
  readonly argument: string
}

/** The registry on loopback. */
export interface Registry {
  readonly url: string
  /** A private npmrc with the token of the publisher. */
  readonly userconfig: string
  /** Where it keeps the tarballs. */
  readonly storage: string
}

/** One step; what it answers is shown beside its name. */
export interface Step {
  readonly name: string
  readonly says: string
  run(rehearsal: Rehearsal): Promise<string>
}

/** A program ended otherwise than it must. */
export class StepFailed extends Error {
  override readonly name = 'StepFailed'
}

const relProgram = [
  '--conditions=source',
  '--disable-warning=ExperimentalWarning',
  join(root, 'packages/release/src/main.ts'),
]

export class Rehearsal {
  readonly places: Places
  readonly databases: readonly Database[]
  readonly registry: Registry
  private readonly children: Children
  private readonly say: (line: string) => void
  /** File that gets what the programs of the step under way write. */
  private log: string

  constructor(
    places: Places,
    databases: readonly Database[],
    registry: Registry,
    children: Children,
    say: (line: string) => void,
  ) {
    this.places = places
    this.databases = databases
    this.registry = registry
    this.children = children
    this.say = say
    this.log = join(places.logs, 'rehearsal.txt')
  }

  /** From now on programs write to the log of this step. What one that was killed has left behind goes. */
  begin(step: string): void {
    this.log = join(this.places.logs, `${step}.txt`)
    rmSync(this.places.temporary, { recursive: true, force: true })
    mkdirSync(this.places.temporary)
  }

  /** Runs a program; its progress is shown. @throws Stopped */
  run(file: string, args: readonly string[], cwd = this.places.out): Promise<Ended> {
    // REL_TEST: `rel` opens no socket to another machine, whatever it is told.
    const env = { REL_TEST: '1', TMPDIR: this.places.temporary }
    return this.children.run(file, args, {
      cwd,
      env,
      log: this.log,
      onProgress: (line) => this.say(`    ${line}`),
    })
  }

  /** Runs `rel` from source as a process of its own. @throws Stopped */
  rel(...words: readonly string[]): Promise<Ended> {
    return this.run(process.execPath, [...relProgram, ...words])
  }

  /** Runs `rel`, which must end well; answers with what it printed. @throws StepFailed, Stopped */
  async passes(...words: readonly string[]): Promise<readonly string[]> {
    return endedWith(0, await this.rel(...words), words).out
  }

  /** Runs `rel`, which must refuse (exit 10) with this code; answers with its sentence. @throws StepFailed, Stopped */
  async refuses(code: string, ...words: readonly string[]): Promise<string> {
    const ended = endedWith(10, await this.rel(...words), words)
    const sentence = [...ended.err, ...ended.out].find((line) => line.includes(code))
    if (sentence === undefined) throw new StepFailed(`rel ${commandLine(words)} refused otherwise: ${tail(ended)}`)
    return sentence
  }
}

function endedWith(exitCode: number, ended: Ended, words: readonly string[]): Ended {
  if (ended.exitCode === exitCode) return ended
  const how = `ended with ${ended.exitCode}, not with ${exitCode}`
  throw new StepFailed(`rel ${commandLine(words)} ${how}: ${tail(ended)}`)
}

/** The end of what a program wrote. */
export const tail = ({ out, err }: Ended): string => [...out, ...err].slice(-12).join('\n')
