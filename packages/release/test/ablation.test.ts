// P-86: each guard is taken away in turn; what it alone holds back must then come through, and nothing else.
//
// A guard whose condition held in a run did nothing in it, so that taking it away cannot change that run. What is run again is
// therefore each case without each guard that refused in it; the case that no other guard may catch with the same code.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, test, vi } from 'vitest'
import { readCanonical } from '../src/canonical.ts'
import { Refused } from '../src/refusal.ts'
import { allCases } from './counterfactuals/all.ts'
import { titleOf } from './kit/check.ts'
import type { Counterfactual, Ending } from './kit/counterfactual.ts'
import { type Watched, watching } from './kit/removable-guard.ts'
import { guardSites, refusalsBesideTheGuard } from './kit/sources.ts'

vi.mock('../src/guard.ts', () => import('./kit/removable-guard.ts'))

interface Run {
  readonly one: Counterfactual
  readonly ended: Ending
  readonly watched: Watched
}

/** A case, run again without a guard. */
interface Ablated {
  readonly one: Counterfactual
  readonly site: string
  readonly code: string
  /** Whether this guard is the one that ended the case. */
  readonly decides: boolean
  readonly before: Ending
  readonly after: Ending
}

/** Cases that a second guard catches with the same code, and why both stand. An entry that is no longer needed fails. */
const caughtTwice: Readonly<Record<string, string>> = {
  'P-12 cut in the gzip header → archive_malformed': 'what is cut has no trailer either, and that is checked anyway',
  'P-12 cut in the deflate stream → archive_malformed': 'what is cut has no trailer either, and that is checked anyway',
  'P-12 nothing in the file → archive_malformed': 'what is cut has no trailer either, and that is checked anyway',
  'P-64 a prerelease for latest → tag_policy_violation': 'a policy that names latest for prereleases is caught too',
  'P-77 an answer of 401 → readback_answer_unreadable': 'an error has no packument in it, either',
}

const cases = allCases.filter(({ layer }) => layer === 'U' || layer === 'F')
const endsWithinMs = 10_000
const runs: Run[] = []
const ablated: Ablated[] = []

beforeAll(async () => {
  for (const one of cases) {
    const { result, ...watched } = await watching(null, () => runOf(one))
    runs.push({ one, ended: result, watched })
    const last = watched.refused.findLast(({ code }) => code === one.code)
    for (const { site, code } of new Map(watched.refused.map((each) => [each.site, each])).values()) {
      const { result: after } = await watching(site, () => runOf(one))
      ablated.push({ one, site, code, decides: last?.site === site, before: result, after })
    }
  }
  const table = process.env.REL_ABLATION_TABLE
  if (table !== undefined) writeFileSync(table, `${tableOf().join('\n')}\n`)
}, 300_000)

/** The changed run, in a folder of its own; a run that a guard would have ended may never end. */
async function runOf(one: Counterfactual): Promise<Ending> {
  const folder = mkdtempSync(join(tmpdir(), 'release-ablation-'))
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<Ending>((resolve) => {
    const message = `no ending within ${endsWithinMs} ms`
    const ending: Ending = { exit: 30, code: null, message, uploads: 0, registryChanged: false, recorded: null }
    timer = setTimeout(() => resolve(ending), endsWithinMs)
  })
  try {
    return await Promise.race([one.run(folder, 'changed'), late])
  } finally {
    clearTimeout(timer)
    rmSync(folder, { recursive: true, force: true })
  }
}

/** One line a guard: where it stands, its codes, the cases that fail without it, and how many stay. */
function tableOf(): readonly string[] {
  return guardSites().map((site) => {
    const here = ablated.filter((each) => each.site === site)
    const failing = here.filter(({ one, after }) => after.code !== one.code)
    const stay = cases.length - failing.length
    const codes = [...new Set(here.map(({ code }) => code))].join(', ')
    const fail = failing.map(({ one, after }) => `${one.shows.join(' ')} ${one.differs} (now ${wordOf(after)})`)
    return `| ${site} | ${codes} | ${fail.join('; ')} | ${stay} |`
  })
}

const wordOf = ({ code, exit }: Ending): string => code ?? (exit === 0 ? 'passes' : 'a fault')

test('P-86 there are cases, and each ends as it says with the guards in their places', () => {
  expect(cases.length).toBeGreaterThan(0)
  expect(
    runs.filter(({ one, ended }) => ended.code !== one.code).map(({ one, ended }) => [titleOf(one), ended.message]),
  ).toEqual([])
})

test('P-86 a guard that is taken away lets through what it alone holds back', async () => {
  const read = async () => readCanonical('{ }', 'a document')
  await expect(read()).rejects.toThrow(Refused)
  const { result } = await watching(null, () => read().catch((error: unknown) => error))
  expect(result).toBeInstanceOf(Refused)
  const { result: through, refused } = await watching(
    guardSites().find((site) => site.startsWith('canonical.ts:')) ?? null,
    read,
  )
  expect(through).toEqual({})
  expect(refused.map(({ code }) => code)).toEqual(['manifest_not_canonical'])
})

test('P-86 every refusal is made by the guard', () => {
  expect(refusalsBesideTheGuard()).toEqual([])
  const elsewhere = runs.filter(
    ({ one, watched }) => one.code !== null && !watched.refused.some(({ code }) => code === one.code),
  )
  expect(elsewhere.map(({ one }) => titleOf(one))).toEqual([])
})

test('P-86 without its guard a case ends otherwise', () => {
  const held = ablated.filter(({ decides, one, after }) => decides && after.code === one.code)
  const twice = (one: Counterfactual): boolean => Object.hasOwn(caughtTwice, titleOf(one))
  const unexpected = held.filter(({ one }) => !twice(one))
  expect(unexpected.map(({ one, site, after }) => `${site}, ${titleOf(one)}: ${after.message}`)).toEqual([])
  const needed: ReadonlySet<string> = new Set(held.map(({ one }) => titleOf(one)))
  expect(Object.keys(caughtTwice).filter((title) => !needed.has(title))).toEqual([])
})

test('P-86 each guard is missed by some case when it is taken away', () => {
  const missed: ReadonlySet<string> = new Set(
    ablated.filter(({ before, after }) => before.code !== after.code).map(({ site }) => site),
  )
  expect(guardSites().filter((site) => !missed.has(site))).toEqual([])
})
