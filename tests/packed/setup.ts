// Builds, packs and installs once for all files of this suite; what was made goes when it ends.
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { packStaged, stagePublished, type Tarball } from '../../scripts/pack-published.ts'
import { publishedPackages } from '../../scripts/published.ts'
import { surfaceOf } from '../../scripts/surface-files.ts'
import { type Installed, install } from './install.ts'

declare module 'vitest' {
  interface ProvidedContext {
    tarballs: readonly Tarball[]
    /** Folder of a built package, by name. */
    staged: Readonly<Record<string, string>>
    /** The golden files as they should be, by path. */
    surface: Readonly<Record<string, string>>
    installed: Installed
  }
}

/** Vitest calls this before the first file; what it returns, after the last. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const workshop = await realpath(await mkdtemp(join(tmpdir(), 'durable-workflow-packed-')))
  const remove = () => rm(workshop, { recursive: true, force: true })
  try {
    const folder = join(workshop, 'staged')
    const staged = await stagePublished(publishedPackages(), folder)
    const tarballs = packStaged(staged, folder, join(workshop, 'tarballs'))
    project.provide('tarballs', tarballs)
    project.provide('staged', Object.fromEntries(staged.map(({ one, folder }) => [one.name, folder])))
    project.provide('surface', Object.fromEntries(await surfaceOf(staged, tarballs)))
    project.provide('installed', await install(tarballs, join(workshop, 'consumer')))
  } catch (error) {
    await remove()
    throw error
  }
  return remove
}
