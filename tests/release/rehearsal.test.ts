// What a rehearsal leaves, looked at as a stranger would: another folder, no network, files only.
import { execFile } from 'node:child_process'
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { openEvidence, readPolicy } from '../../packages/release/src/index.ts'
import { root } from '../../scripts/published.ts'
import { steps } from '../../scripts/rehearsal/steps.ts'

const rehearsed = inject('rehearsed')

if ('missing' in rehearsed) {
  test.skip(`a rehearsal (needs a package registry: ${rehearsed.missing})`, () => undefined)
} else {
  const { evidence, output, network } = rehearsed
  let copy = ''
  beforeAll(async () => {
    copy = join(await mkdtemp(join(tmpdir(), 'release-stranger-')), 'a copy elsewhere')
    await cp(evidence, copy, { recursive: true })
  })
  afterAll(() => rm(join(copy, '..'), { recursive: true }))

  /** `rel` as a process; what it printed and how it ended. */
  async function rel(...words: readonly string[]): Promise<{ exitCode: number; text: string }> {
    const program = [
      '--conditions=source',
      '--disable-warning=ExperimentalWarning',
      join(root, 'packages/release/src/main.ts'),
    ]
    const run = promisify(execFile)(process.execPath, [...program, ...words], { cwd: tmpdir() })
    const [ended] = await Promise.allSettled([run])
    if (ended.status === 'fulfilled') return { exitCode: 0, text: ended.value.stdout }
    const { code, stdout, stderr } = ended.reason
    return { exitCode: Number(code), text: `${stdout}${stderr}` }
  }

  test(`P-88 a full green run without any network but loopback (${network})`, () => {
    for (const { name } of steps) expect(output).toMatch(new RegExp(`^  ${name} passed in `, 'm'))
    expect(output).toMatch(/^rehearsed in \d+ s$/m)
  })

  test.skipIf(output.includes('NOT REHEARSED ON POSTGRESQL'))('acceptance ran on PostgreSQL (needs postgres)', () => {
    expect(readPolicy(join(evidence, 'policy.json')).policy.acceptance.databases).toEqual(['sqlite', 'postgres'])
  })

  test('the rehearsal shows its demonstrations: a tampered tarball, a changed lockfile', () => {
    expect(output).toMatch(/tampered-tarball passed in .+ readback_bytes_mismatch/)
    expect(output).toMatch(/changed-lockfile passed in .+ pin_integrity_mismatch/)
  })

  test('the folder tells the whole way: every kind of record, the last one passed', () => {
    const { records } = openEvidence(evidence)
    const kinds = records.filter(({ record }) => record.outcome === 'passed').map(({ kind }) => kind)
    expect(new Set(kinds)).toEqual(new Set(['reproduction', 'acceptance', 'approval', 'publication', 'readback']))
    expect(records.filter(({ record }) => record.outcome !== 'passed')).toEqual([])
  })

  describe('a stranger with a copy of the folder', () => {
    test('checks it with sha256sum -c', async () => {
      const { stdout } = await promisify(execFile)('sha256sum', ['-c', 'SHA256SUMS'], { cwd: copy })
      const checked = stdout.trim().split('\n')
      expect(checked.every((line) => line.endsWith(': OK'))).toBe(true)
      const files = (await readdir(copy, { recursive: true, withFileTypes: true })).filter((one) => one.isFile())
      expect(checked).toHaveLength(files.length - 1)
    })

    test('checks it with rel verify', async () => {
      expect(await rel('verify', copy)).toMatchObject({ exitCode: 0 })
    })

    test.each(['release-manifest.json', 'policy.json', 'tuple.json'])(
      'and rel verify refuses it when one byte of %s differs',
      async (path) => {
        const before = await readFile(join(copy, path))
        const after = Buffer.from(before)
        after.writeUInt8(after.readUInt8(before.length >> 1) ^ 1, before.length >> 1)
        await writeFile(join(copy, path), after)
        try {
          expect(await rel('verify', copy)).toMatchObject({ exitCode: 10 })
        } finally {
          await writeFile(join(copy, path), before)
        }
      },
    )
  })
}
