import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Counterfactual } from './counterfactual.ts'

/** Declares one test a case: the baseline passes; with the one thing changed it ends as the case says. */
export function testCounterfactuals(cases: readonly Counterfactual[]): void {
  test.each(cases.map((one) => [titleOf(one), one] as const))('%s', async (_, one) => {
    await inOwnFolder(async (folder) => {
      mkdirSync(join(folder, 'unchanged'))
      const unchanged = await one.run(join(folder, 'unchanged'), 'unchanged')
      expect({ ...unchanged, uploads: 0, registryChanged: false, recorded: null }).toEqual({
        exit: 0,
        code: null,
        message: '',
        uploads: 0,
        registryChanged: false,
        recorded: null,
      })
      if (unchanged.recorded !== null) expect(unchanged.recorded).toEqual({ outcome: 'passed', reason: null })
      mkdirSync(join(folder, 'changed'))
      const changed = await one.run(join(folder, 'changed'), 'changed')
      expect(changed, changed.message).toMatchObject({ code: one.code, exit: exitOf(one) })
      if (one.code === null) return
      expect(changed).toMatchObject({ uploads: 0, registryChanged: false })
      if (changed.recorded !== null) {
        expect(changed.recorded).toEqual({ outcome: exitOf(one) === 20 ? 'retry' : 'refused', reason: one.code })
      }
    })
  })
}

/** `P-15 a member twice → archive_duplicate_member` */
export const titleOf = ({ shows, differs, code }: Counterfactual): string =>
  `${shows.join(' ')} ${differs} → ${code ?? 'equal'}`

export const exitOf = ({ code, exit }: Counterfactual): number => exit ?? (code === null ? 0 : 10)

async function inOwnFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'release-'))
  try {
    await work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
