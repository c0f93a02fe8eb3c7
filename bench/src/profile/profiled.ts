import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Repetition } from '../repetition.ts'
import { openStage, type Stage, type StageOptions } from '../stage.ts'
import { rounded } from '../statistics.ts'
import { type OwnTime, ownTimes, readProfile } from './profile.ts'

/** Where server and worker spent their own time while a workload was measured, heaviest first. */
export interface Profiled {
  readonly server: readonly OwnTime[]
  readonly worker: readonly OwnTime[]
}

const heaviest = 10

/** Measures on a stage whose programs write CPU profiles, and reads those once they have ended. */
export async function withProfiles(
  options: Pick<StageOptions, 'database' | 'parentFolder'>,
  measureOn: (stage: Stage) => Promise<readonly Repetition[]>,
): Promise<{ readonly repetitions: readonly Repetition[]; readonly profile: Profiled }> {
  const profileFolder = await mkdtemp(join(tmpdir(), 'durable-workflow-profile-'))
  try {
    await using stage = await openStage({ ...options, profileFolder })
    const repetitions = await measureOn(stage)
    await stage.stop()
    const [first, last] = [repetitions.at(0), repetitions.at(-1)]
    if (first === undefined || last === undefined) throw new Error('there is no profile of nothing')
    // Start and warm-up are in the files, too: they are left out.
    const window = { from: first.window.from, to: last.window.to }
    const of = async (name: string): Promise<readonly OwnTime[]> =>
      ownTimes(await readProfile(join(profileFolder, `${name}.cpuprofile`)), window)
        .slice(0, heaviest)
        .map(({ at, ms, percent }) => ({ at, ms: rounded(ms), percent: rounded(percent) }))
    return { repetitions, profile: { server: await of('server'), worker: await of('worker') } }
  } finally {
    await rm(profileFolder, { recursive: true, force: true })
  }
}
