// The reader against generated tarballs: what is whole is read back as it was written, what is not ends in a refusal.
import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { type ReadArchive, type ReadOptions, readArchive } from '../../src/archive/read.ts'
import { Refused } from '../../src/refusal.ts'
import { roomy, smallPackage } from '../counterfactuals/archive.ts'
import { archive, gzip, type HeaderFields, member, octal, type PackedFile, tar, tarball } from '../kit/tarball.ts'

const folder = mkdtempSync(join(tmpdir(), 'archive-'))
const file = join(folder, 'x.tgz')
afterAll(() => rmSync(folder, { recursive: true }))

const read = async (bytes: Uint8Array, options: Partial<ReadOptions> = {}): Promise<ReadArchive> => {
  writeFileSync(file, bytes)
  return await readArchive(file, { limits: roomy, ...options })
}

/** The code of the refusal, or what was read; anything else that is thrown is a fault, and fails the test. */
const codeOrRead = async (bytes: Uint8Array): Promise<string | ReadArchive> => {
  try {
    return await read(bytes)
  } catch (error) {
    if (error instanceof Refused) return error.code
    throw error
  }
}

const hex = (algorithm: string, bytes: Uint8Array | string) => createHash(algorithm).update(bytes).digest('hex')

const name = fc.stringMatching(/^[a-zü日][a-z0-9_ü-]{0,40}$/)
const path = fc.array(name, { minLength: 1, maxLength: 6 }).map((names) => names.join('/').concat('.js'))
const packed: fc.Arbitrary<PackedFile> = fc.record({
  path,
  content: fc.oneof(fc.uint8Array({ maxLength: 1500 }), fc.constantFrom('', 'x'.repeat(511), 'x'.repeat(512), 'é')),
  mode: fc.constantFrom('0644', '0755'),
})
const packages = fc.uniqueArray(packed, { selector: (one) => one.path, maxLength: 12 })

test('what was written is read back: paths, modes, sizes, digests', async () => {
  await fc.assert(
    fc.asyncProperty(packages, fc.integer({ min: 0, max: 9 }), async (files, level) => {
      const bytes = tarball(files, { level })
      const { files: entries, kept, ...digests } = await read(bytes, { keep: () => true })
      const sorted = files.toSorted((one, other) => Buffer.compare(Buffer.from(one.path), Buffer.from(other.path)))
      const expected = sorted.map(({ path, content, mode = '0644' }) => ({
        path,
        size: Buffer.from(content).length,
        mode,
        sha256: hex('sha256', content),
      }))
      expect(entries).toEqual(expected)
      expect(new Map([...kept].map(([path, content]) => [path, Buffer.from(content)]))).toEqual(
        new Map(sorted.map(({ path, content }) => [path, Buffer.from(content)])),
      )
      const lines = expected.map(({ path, size, mode, sha256 }) => `${mode} ${size} ${sha256} ${path}\n`)
      expect(digests).toEqual({
        size: bytes.length,
        sha256: hex('sha256', bytes),
        sha512: `sha512-${createHash('sha512').update(bytes).digest('base64')}`,
        sha1: hex('sha1', bytes),
        tarSha256: hex('sha256', tar(files)),
        treeSha256: hex('sha256', lines.join('')),
      })
    }),
    { numRuns: 60 },
  )
})

test('the order of the members changes the archive and its digest, but not the tree', async () => {
  await fc.assert(
    fc.asyncProperty(packages, async (files) => {
      const sorted = await read(tarball(files))
      const reversed = await read(tarball(files.toReversed(), { order: 'given' }))
      expect(reversed.treeSha256).toBe(sorted.treeSha256)
      expect(reversed.files).toEqual(sorted.files)
    }),
    { numRuns: 20 },
  )
})

test('AR2 a tarball with one bit flipped is refused or reads with another digest', async () => {
  const whole = tarball(smallPackage)
  const { sha256 } = await read(whole)
  for (let at = 0; at < whole.length; at++) {
    const flipped = Buffer.from(whole)
    flipped.writeUInt8(flipped.readUInt8(at) ^ (1 << (at % 8)), at)
    const ending = await codeOrRead(flipped)
    if (typeof ending === 'string') expect(ending).toMatch(/^archive_/)
    else expect(ending.sha256, `byte ${at}`).not.toBe(sha256)
  }
})

test('AR2 a bit flipped in the archive and compressed anew is refused, or seen in the tree', async () => {
  const whole = tar(smallPackage)
  const { treeSha256, tarSha256 } = await read(gzip(whole))
  const bits = fc.record({ at: fc.nat(whole.length - 1), bit: fc.nat(7) })
  await fc.assert(
    fc.asyncProperty(bits, async ({ at, bit }) => {
      const flipped = Buffer.from(whole)
      flipped.writeUInt8(flipped.readUInt8(at) ^ (1 << bit), at)
      const ending = await codeOrRead(gzip(flipped))
      if (typeof ending === 'string') expect(ending).toMatch(/^archive_/)
      else {
        expect(ending.tarSha256).not.toBe(tarSha256)
        expect(ending.treeSha256).not.toBe(treeSha256) // all but contents is refused
      }
    }),
    { numRuns: 300 },
  )
})

test('AR2 wherever it is cut, it is malformed', async () => {
  const whole = tarball(smallPackage)
  for (let length = 0; length < whole.length; length++) {
    expect(await codeOrRead(whole.subarray(0, length)), `${length} bytes`).toBe('archive_malformed')
  }
})

test('AR2 bytes by chance end in a refusal, never in a fault', async () => {
  const anything = fc.oneof(
    fc.uint8Array({ maxLength: 4000 }),
    fc.uint8Array({ maxLength: 4000 }).map((bytes) => gzip(bytes)),
  )
  await fc.assert(
    fc.asyncProperty(anything, async (bytes) => {
      expect(await codeOrRead(bytes)).toMatch(/^archive_/)
    }),
    { numRuns: 200 },
  )
})

const strange = fc.oneof(fc.string({ maxLength: 8 }), fc.uint8Array({ maxLength: 8 }))
const oddHeader: fc.Arbitrary<HeaderFields> = fc.record(
  {
    name: fc.oneof(strange, fc.constantFrom('package/a', 'package/b', 'package/', '../a')),
    mode: fc.oneof(strange, fc.constant(octal(0o755, 8))),
    size: fc.oneof(strange, fc.constantFrom(octal(0, 12), octal(7, 12), octal(600, 12), octal(2 ** 33 - 1, 12))),
    mtime: strange,
    typeflag: fc.constantFrom('0', '1', '2', '5', 'x', 'g', 'L', 'S', '\0'),
    linkname: strange,
    magic: fc.constantFrom('ustar\x0000', 'ustar  \0', ''),
    prefix: strange,
  },
  { requiredKeys: ['name'] },
)

test('AR2 members with odd headers end in a refusal or are read, never in a fault', async () => {
  const members = fc.array(fc.tuple(oddHeader, fc.oneof(strange, fc.constant('18 path=package/c\n'))), { maxLength: 4 })
  await fc.assert(
    fc.asyncProperty(members, async (some) => {
      const ending = await codeOrRead(gzip(archive(some.map(([fields, content]) => member(fitting(fields), content)))))
      if (typeof ending === 'string') expect(ending).toMatch(/^archive_/)
      else for (const one of ending.files) expect(one.path).not.toMatch(/^\/|\\|\.\./)
    }),
    { numRuns: 300 },
  )
})

test('AR2 where the gzip member ends beside the pieces in which a file is read changes nothing', async () => {
  const ending = (length: number): Buffer => {
    const least = gzip(tar(smallPackage), { level: 0 }).length
    const blocks = 5 * Math.ceil(length / 65_535) // a stored block holds 65,535 bytes behind a header of five
    const padded = (zeros: number) => gzip(Buffer.concat([tar(smallPackage), Buffer.alloc(zeros)]), { level: 0 })
    const zeros = [...Array(blocks + 1).keys()].map((less) => length - least - less)
    const found = zeros.map(padded).find((one) => one.length === length)
    if (found === undefined) throw new Error(`no archive packs to ${length} bytes`)
    return found
  }
  for (let past = -2; past <= 10; past++) {
    const whole = ending(2 * 65_536 + past)
    expect((await read(whole)).files, `${past}`).toHaveLength(smallPackage.length)
    expect(await codeOrRead(whole.subarray(0, -1)), `${past}`).toBe('archive_malformed')
    expect(await codeOrRead(Buffer.concat([whole, Buffer.alloc(1)])), `${past}`).toBe('archive_trailing_data')
    expect(await codeOrRead(Buffer.concat([whole, whole])), `${past}`).toBe('archive_trailing_data')
  }
})

const chance = (bytes: number): Buffer => {
  const digest = (index: number) => createHash('sha512').update(`${index}`).digest()
  return Buffer.concat(Array.from({ length: bytes / 64 }, (_, index) => digest(index)))
}

test('AR1 a file of many pieces is left at its limit', async () => {
  const bytes = tarball([{ path: 'dist/noise', content: chance(1 << 19) }])
  let seen = 0
  const scan = () => (piece: Uint8Array) => {
    seen += piece.length
  }
  const packedBytes = bytes.length >> 1
  const reading = read(bytes, { limits: { ...roomy, packedBytes }, scan })
  await expect(reading).rejects.toMatchObject({ code: 'archive_too_large', facts: { of: 'packed bytes' } })
  expect(seen).toBeLessThan(packedBytes)
})

test('a refusal in the midst of a large file is the answer, and so is what a scanner throws', async () => {
  const noise = chance(1 << 19)
  const two = gzip(
    archive([
      member({ name: 'package/a', size: octal(noise.length, 12) }, noise),
      member({ name: 'other/b', size: octal(noise.length, 12) }, noise),
    ]),
  )
  expect(await codeOrRead(two)).toBe('archive_multiple_roots')
  const scan = () => () => {
    throw new Error('seen enough')
  }
  await expect(read(two, { scan })).rejects.toThrow('seen enough')
})

test('AR1 of a bomb no more is inflated than the limits allow', async () => {
  const size = 64 << 20
  const bomb = gzip(
    archive([
      member({ name: 'package/zeros', size: octal(size, 12) }, Buffer.alloc(size)),
      member({ name: 'package/a' }),
    ]),
  )
  expect(bomb.length).toBeLessThan(1 << 17)
  let seen = 0
  const scan = () => (piece: Uint8Array) => {
    seen += piece.length
  }
  await expect(read(bomb, { scan })).rejects.toMatchObject({ code: 'archive_too_large' })
  expect(seen).toBeLessThanOrEqual(roomy.unpackedBytes)
})

test('AR1 a size in a header reserves nothing', async () => {
  const before = process.memoryUsage.rss()
  const claims = gzip(archive([member({ name: 'package/a', size: octal(2 ** 33 - 1, 12) })]))
  expect(await codeOrRead(claims)).toBe('archive_malformed')
  expect(process.memoryUsage.rss() - before).toBeLessThan(1 << 28)
})

test('AR3 contents are kept and looked at of the named files only, and nothing is unpacked', async () => {
  const seen = new Map<string, string>()
  const { kept } = await read(tarball(smallPackage), {
    keep: (path) => path === 'package.json',
    scan: (path) =>
      path.startsWith('dist/') ? (piece) => seen.set(path, `${seen.get(path) ?? ''}${Buffer.from(piece)}`) : undefined,
  })
  expect([...kept.keys()]).toEqual(['package.json'])
  expect(Buffer.from(kept.get('package.json') ?? []).toString()).toBe(smallPackage[0]?.content)
  expect([...seen]).toEqual([['dist/index.js', smallPackage[3]?.content]])
  expect(readdirSync(folder)).toEqual(['x.tgz'])
  expect(readFileSync(file)).toEqual(tarball(smallPackage))
})

test('a file that is not there is no refusal', async () => {
  await expect(readArchive(join(folder, 'gone.tgz'), { limits: roomy })).rejects.toMatchObject({ code: 'ENOENT' })
})

/** A field of a header holds so many bytes; longer ones are cut, so that every draw is a header. */
function fitting(fields: HeaderFields): HeaderFields {
  const cut = (value: string | Uint8Array | undefined, width: number) =>
    value === undefined ? undefined : Buffer.from(value).subarray(0, width)
  const { name, mode, size, mtime, linkname, prefix, ...rest } = fields
  return Object.fromEntries(
    Object.entries({
      ...rest,
      name: cut(name, 100),
      mode: cut(mode, 8),
      size: cut(size, 12),
      mtime: cut(mtime, 12),
      linkname: cut(linkname, 100),
      prefix: cut(prefix, 155),
    }).filter(([, value]) => value !== undefined),
  )
}
