// The writer of tarballs is checked by programs that are not ours: `tar` and `gzip` of the machine read what it writes.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { flipped, gzip, paxRecord, tar, tarball } from './tarball.ts'

const files = [
  { path: 'package.json', content: '{"name":"a"}' },
  { path: 'bin/run.js', content: 'run()\n', mode: '0755' },
  { path: 'empty', content: '' },
  { path: `${'a'.repeat(60)}/${'b'.repeat(60)}.txt`, content: 'in a prefix' },
  { path: `${'c'.repeat(120)}/${'d'.repeat(120)}.txt`, content: 'in a pax record' },
] as const

test('tar of the machine unpacks every file with its content, mode and time', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tarball-'))
  try {
    execFileSync('tar', ['-xpzf', '-', '-C', folder], { input: tarball(files) })
    const unpacked = files.map(({ path }) => {
      const file = join(folder, 'package', path)
      const { mode, mtimeMs } = statSync(file)
      return { path, content: readFileSync(file, 'utf8'), mode: mode & 0o7777, mtimeMs }
    })
    expect(unpacked).toEqual(
      files.map(({ path, content, ...more }) => ({
        path,
        content,
        mode: 'mode' in more ? 0o755 : 0o644,
        mtimeMs: Date.parse('1985-10-26T08:15:00Z'),
      })),
    )
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('equal files give equal bytes, in whatever order they are given', () => {
  expect(tarball(files.toReversed())).toEqual(tarball(files))
  expect(tarball(files.toReversed(), { order: 'given' })).not.toEqual(tarball(files))
})

test('every level inflates to one archive', () => {
  const written = [1, 6, 9].map((level) => tarball(files, { level }))
  for (const one of written) expect(gunzipSync(one)).toEqual(tar(files))
  expect(new Set(written.map((one) => one.toString('hex'))).size).toBeGreaterThan(1)
})

test.each([1, 90, 91, 92, 93, 94, 95, 96, 97, 990, 991, 992, 993])(
  'a pax record of %i bytes counts itself',
  (length) => {
    const record = paxRecord('a', 'x'.repeat(length))
    expect(record.toString()).toBe(`${record.length} a=${'x'.repeat(length)}\n`)
  },
)

test('a wrong checksum or size is written as it is given, and gzip refuses it', () => {
  for (const wrong of [gzip(tar(files), { crc: 1 }), gzip(tar(files), { isize: 1 }), flipped(tarball(files), 0)]) {
    expect(() => gunzipSync(wrong)).toThrow()
  }
})
