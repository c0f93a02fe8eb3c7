// An acceptance of one cell on SQLite, in which one thing may be different: the suite's programs, the policy, a tarball.
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { z } from 'zod'
import { openEvidence } from '../../packages/release/src/index.ts'
import { root } from '../../scripts/published.ts'

const Fields = z.record(z.string(), z.unknown())
const Acceptance = z.looseObject({
  cells: z.array(z.string()),
  databases: z.array(z.string()),
  peers: z.array(z.string()),
})
const Policy = z.looseObject({ acceptance: Acceptance })
const Packages = z.array(z.looseObject({ name: z.string(), file: z.looseObject({ name: z.string() }) }))
const Manifest = z.looseObject({ policy: z.looseObject({ sha256: z.string() }), packages: Packages })
const Answer = z.looseObject({ ok: z.boolean(), code: z.string().optional(), facts: Fields.optional() })

/** What differs from an acceptance that passes. */
export interface Difference {
  readonly acceptance?: Partial<z.infer<typeof Acceptance>>
  /** Changes a copy of the suite, before it is used. */
  readonly suite?: (folder: string) => Promise<void>
  /** Changes the evidence folder; the manifest's packages may be changed in place. */
  readonly evidence?: (folder: string, packages: z.infer<typeof Packages>) => Promise<void>
  readonly words?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

/** How it ended. */
export interface Ended {
  readonly exit: number
  readonly code: string | undefined
  readonly facts: Readonly<Record<string, unknown>>
  /** Of the record; undefined when none was written. */
  readonly details: ReturnType<typeof detailsIn>
  /** Every text below the evidence folder that is no tarball, by path. */
  readonly texts: ReadonlyMap<string, string>
  readonly told: string
}

/** Runs `rel accept` as a process, on copies in a folder that is removed. @param released  an evidence folder with tarballs and manifest */
export async function tryAcceptance(released: string, difference: Difference = {}): Promise<Ended> {
  const workshop = await mkdtemp(join(tmpdir(), 'trial-'))
  try {
    const evidence = join(workshop, 'evidence')
    await makeEvidence(released, evidence, difference)
    const suite = join(workshop, 'suite')
    await cp(join(root, 'tests/acceptance'), suite, { recursive: true })
    await difference.suite?.(suite)
    const words = ['accept', '--release', evidence, '--suite', suite, '--database', 'sqlite', '--json']
    const { exit, out, told } = await rel([...words, ...(difference.words ?? [])], difference.env ?? {})
    const answer = Answer.parse(JSON.parse(out))
    return {
      exit,
      code: answer.code,
      facts: answer.facts ?? {},
      details: detailsIn(evidence),
      texts: await textsIn(evidence),
      told,
    }
  } finally {
    await rm(workshop, { recursive: true })
  }
}

async function makeEvidence(from: string, to: string, { acceptance, evidence }: Difference): Promise<void> {
  await mkdir(to)
  await cp(join(from, 'tarballs'), join(to, 'tarballs'), { recursive: true })
  const policy = Policy.parse(JSON.parse(await readFile(join(from, 'policy.json'), 'utf8')))
  Object.assign(policy.acceptance, { cells: ['start'], databases: ['sqlite'], peers: ['node', 'sqlite'] }, acceptance)
  const policyText = canonical(policy)
  await writeFile(join(to, 'policy.json'), policyText)
  const manifest = Manifest.parse(JSON.parse(await readFile(join(from, 'release-manifest.json'), 'utf8')))
  manifest.policy.sha256 = createHash('sha256').update(policyText).digest('hex')
  await evidence?.(to, manifest.packages)
  await writeFile(join(to, 'release-manifest.json'), canonical(manifest))
}

/** Canonical JSON, written apart from the one under test. */
export const canonical = (value: unknown): string => `${JSON.stringify(sorted(value), null, 2)}\n`

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const names = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return Object.fromEntries(names.map(([name, inner]) => [name, sorted(inner)]))
}

async function rel(words: readonly string[], env: Readonly<Record<string, string>>) {
  const program = [
    '--conditions=source',
    '--disable-warning=ExperimentalWarning',
    join(root, 'packages/release/src/main.ts'),
  ]
  const run = promisify(execFile)(process.execPath, [...program, ...words], { env: { ...process.env, ...env } })
  const [ended] = await Promise.allSettled([run])
  if (ended.status === 'fulfilled') return { exit: 0, out: ended.value.stdout, told: ended.value.stderr }
  const { code, stdout, stderr } = ended.reason
  return { exit: Number(code), out: String(stdout), told: String(stderr) }
}

function detailsIn(evidence: string) {
  const last = openEvidence(evidence).records.at(-1)?.record
  return last?.schema === 'durable-workflow.release/acceptance/v1' ? (last.details ?? undefined) : undefined
}

async function textsIn(folder: string): Promise<ReadonlyMap<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries
    .filter((one) => one.isFile() && !one.name.endsWith('.tgz'))
    .map((one) => join(one.parentPath, one.name))
  return new Map(await Promise.all(files.map(async (file) => [file, await readFile(file, 'utf8')] as const)))
}

/** Changes a text of the suite; the change must hit. */
export async function edit(file: string, from: string | RegExp, to: string): Promise<void> {
  const text = await readFile(file, 'utf8')
  const changed = text.replace(from, () => to)
  if (changed === text) throw new Error(`${file} has no ${from}`)
  await writeFile(file, changed)
}
