// Archives that must be refused: each differs in one thing from one that is read without complaint.
//
// P-12 to P-19 and P-22 are about reading alone, P-07 to P-09 and P-20 to P-22 about comparing with a manifest. What has no
// number of its own stands under the nearest: other members than files under links (P-16), headers of two readings under members
// of two readings (P-15), what is too large under what is cut (P-12).
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { comparePackage } from '../../src/archive/compare.ts'
import { inspectTarball } from '../../src/archive/inspect.ts'
import { type ArchiveLimits, type ReadArchive, readArchive } from '../../src/archive/read.ts'
import type { PackageEntry } from '../../src/records/manifest.ts'
import type { RefusalCode } from '../../src/refusal.ts'
import { type Counterfactual, endingOf } from '../kit/counterfactual.ts'
import {
  archive,
  endOfArchive,
  fileMember,
  flipped,
  gzip,
  type HeaderFields,
  header,
  member,
  octal,
  type PackedFile,
  paxMember,
  paxRecord,
  tar,
  tarball,
} from '../kit/tarball.ts'

export const roomy: ArchiveLimits = { packedBytes: 1 << 20, unpackedBytes: 1 << 22, files: 100 }

/** A small package, as the cases begin with it. */
export const smallPackage: readonly PackedFile[] = [
  { path: 'package.json', content: '{"name":"@x/spec","version":"1.0.0"}' },
  { path: 'README.md', content: '# Spec\n' },
  { path: 'bin/run.js', content: 'run()\n', mode: '0755' },
  { path: 'dist/index.js', content: 'export const answer = 42\n' },
]

/** What a manifest says of a tarball; its identity is of no interest here. */
export function entryOf(read: ReadArchive): PackageEntry {
  const { size, sha256, sha512, sha1, tarSha256, treeSha256, files } = read
  return {
    name: '@x/spec',
    version: '1.0.0',
    tier: 0,
    directory: 'packages/spec',
    file: { name: 'x-spec-1.0.0.tgz', size, sha256, sha512, sha1, tarSha256, treeSha256 },
    identity: { gitHead: '1'.repeat(40), manifestSha256: '2'.repeat(64), exportsSha256: '3'.repeat(64) },
    files,
    dependencies: { internal: {}, external: {} },
    changelog: { entrySha256: '4'.repeat(64), contentLines: 1 },
  }
}

/** A file in a folder of the case, read within limits. */
export async function readBytes(folder: string, bytes: Uint8Array, limits = roomy): Promise<ReadArchive> {
  const file = join(folder, 'x-spec-1.0.0.tgz')
  writeFileSync(file, bytes)
  return await readArchive(file, { limits })
}

const whole = tarball(smallPackage)

interface Read {
  readonly shows: Counterfactual['shows'][0]
  readonly differs: string
  readonly code: RefusalCode
  /** The small package unless given. */
  readonly unchanged?: Uint8Array
  readonly changed: Uint8Array
  readonly limits?: ArchiveLimits
}

const reading = ({ shows, differs, code, unchanged = whole, changed, limits }: Read): Counterfactual => ({
  shows: [shows],
  differs,
  layer: 'U',
  code,
  run: (folder, change) => endingOf(() => readBytes(folder, { unchanged, changed }[change], limits)),
})

/** One member, written by hand; the changed one has other fields in its header, or is another member. */
const oneMember = (fields: HeaderFields = {}, path = 'package/a') =>
  gzip(archive([fileMember(path, 'content', fields)]))

const field = (
  shows: Read['shows'],
  differs: string,
  code: RefusalCode,
  changed: HeaderFields,
  unchanged: HeaderFields = {},
): Counterfactual => reading({ shows, differs, code, unchanged: oneMember(unchanged), changed: oneMember(changed) })

const path = (differs: string, changed: string | Uint8Array) =>
  reading({
    shows: 'P-17',
    differs: `a path ${differs}`,
    code: 'archive_unsafe_path',
    unchanged: gzip(archive([member({ name: 'package/a' })])),
    changed: gzip(archive([member({ name: changed })])),
  })

const notAFile = (shows: Read['shows'], differs: string, code: RefusalCode, fields: HeaderFields) =>
  reading({
    shows,
    differs,
    code,
    unchanged: gzip(archive([member({ name: 'package/a' })])),
    changed: gzip(archive([member({ name: 'package/a', ...fields })])),
  })

/** Three files of which the third changes its path. */
const beside = (shows: Read['shows'], differs: string, other: string) => {
  const three = (third: string) =>
    gzip(archive(['package/Dist/a', 'package/b', third].map((path) => fileMember(path, ''))))
  return reading({
    shows,
    differs,
    code: 'archive_duplicate_member',
    unchanged: three('package/c'),
    changed: three(other),
  })
}

/** An extended header of these records before one member. */
const extended = (records: Readonly<Record<string, string>> | Uint8Array) => {
  const head =
    records instanceof Uint8Array
      ? member({ name: 'PaxHeader/a', typeflag: 'x', size: octal(records.length, 12) }, records)
      : paxMember(records)
  return gzip(archive([head, member({ name: 'package/a', size: octal(7, 12) }, 'content')]))
}
const pax = (differs: string, code: RefusalCode, changed: Parameters<typeof extended>[0]) =>
  reading({ shows: 'P-15', differs, code, unchanged: extended({ path: 'package/a' }), changed: extended(changed) })

const longPath = (bytes: number) => `package/${'a/'.repeat(bytes)}`.slice(0, bytes - 1).concat('z')
const longPathMember = (bytes: number) => {
  const name = longPath(bytes)
  return gzip(archive([paxMember({ path: name }), member({ name: Buffer.from(name).subarray(0, 100) })]))
}

const oneByteLess = whole.subarray(0, -1)
const stored = (content: string) => tarball([{ path: 'package.json', content }], { level: 0 })
const filled = (blocks: number) => [{ path: 'package.json', content: 'x'.repeat(512 * blocks) }]

const malformed: readonly Counterfactual[] = [
  reading({
    shows: 'P-12',
    differs: 'cut in the gzip header',
    code: 'archive_malformed',
    changed: whole.subarray(0, 3),
  }),
  reading({
    shows: 'P-12',
    differs: 'cut in the deflate stream',
    code: 'archive_malformed',
    changed: whole.subarray(0, 99),
  }),
  reading({ shows: 'P-12', differs: 'one byte cut', code: 'archive_malformed', changed: oneByteLess }),
  reading({ shows: 'P-12', differs: 'nothing in the file', code: 'archive_malformed', changed: Buffer.alloc(0) }),
  reading({
    shows: 'P-12',
    differs: 'another compression method',
    code: 'archive_malformed',
    changed: tarball(smallPackage, { method: 9 }),
  }),
  reading({ shows: 'P-12', differs: 'no gzip', code: 'archive_malformed', changed: tar(smallPackage) }),
  reading({
    shows: 'P-12',
    differs: 'another checksum in the gzip trailer',
    code: 'archive_malformed',
    changed: tarball(smallPackage, { crc: 0 }),
  }),
  reading({
    shows: 'P-12',
    differs: 'another size in the gzip trailer',
    code: 'archive_malformed',
    changed: tarball(smallPackage, { isize: 0 }),
  }),
  reading({
    shows: 'P-12',
    differs: 'a deflate block of an impossible type',
    code: 'archive_malformed',
    unchanged: stored('{}'),
    changed: Buffer.concat([stored('{}').subarray(0, 10), Buffer.from([7]), stored('{}').subarray(11)]),
  }),
  reading({
    shows: 'P-12',
    differs: 'an archive without its end',
    code: 'archive_malformed',
    changed: gzip(tar(smallPackage).subarray(0, -1024)),
  }),
  reading({
    shows: 'P-12',
    differs: 'one block of zeros at the end instead of two',
    code: 'archive_malformed',
    changed: gzip(tar(smallPackage).subarray(0, -512)),
  }),
  reading({
    shows: 'P-12',
    differs: 'a size that reaches beyond the end of the archive',
    code: 'archive_malformed',
    unchanged: oneMember(),
    changed: oneMember({ size: octal(1 << 20, 12) }),
  }),
  field('P-12', 'another checksum in a header', 'archive_malformed', { checksum: '000001\0 ' }),
  reading({
    shows: 'P-12',
    differs: 'a text in place of an archive',
    code: 'archive_malformed',
    changed: gzip(Buffer.from('no archive '.repeat(200))),
  }),
]

const trailing: readonly Counterfactual[] = [
  reading({
    shows: 'P-13',
    differs: 'a byte after the gzip trailer',
    code: 'archive_trailing_data',
    changed: Buffer.concat([whole, Buffer.from([0])]),
  }),
  reading({
    shows: 'P-14',
    differs: 'a second gzip member',
    code: 'archive_trailing_data',
    changed: Buffer.concat([whole, gzip(Buffer.from('more'))]),
  }),
  reading({
    shows: 'P-14',
    differs: 'the archive in two gzip members',
    code: 'archive_trailing_data',
    changed: Buffer.concat([gzip(tar(smallPackage).subarray(0, 512)), gzip(tar(smallPackage).subarray(512))]),
  }),
  reading({
    shows: 'P-13',
    differs: 'a byte after the end of the archive',
    code: 'archive_trailing_data',
    unchanged: gzip(Buffer.concat([tar(smallPackage), Buffer.alloc(512)])),
    changed: gzip(Buffer.concat([tar(smallPackage), Buffer.alloc(512, 1)])),
  }),
  reading({
    shows: 'P-13',
    differs: 'a member after one block of zeros',
    code: 'archive_trailing_data',
    unchanged: gzip(archive([fileMember('package/a', ''), endOfArchive.subarray(512)])),
    changed: gzip(archive([fileMember('package/a', ''), endOfArchive.subarray(512), fileMember('package/b', '')])),
  }),
]

const members: readonly Counterfactual[] = [
  beside('P-15', 'a member twice', 'package/b'),
  beside('P-15', 'a file with the path of a folder', 'package/Dist'),
  beside('P-15', 'a file below the path of a file', 'package/b/c'),
  beside('P-22', 'two paths that differ in case only', 'package/B'),
  beside('P-22', 'two folders that differ in case only', 'package/dist/b'),
  notAFile('P-16', 'a symbolic link', 'archive_link_member', { typeflag: '2', linkname: 'b' }),
  notAFile('P-16', 'a hard link', 'archive_link_member', { typeflag: '1', linkname: 'package/b' }),
  notAFile('P-16', 'a character device', 'archive_member_unsupported', { typeflag: '3' }),
  notAFile('P-16', 'a block device', 'archive_member_unsupported', { typeflag: '4' }),
  notAFile('P-16', 'a folder', 'archive_member_unsupported', { typeflag: '5' }),
  notAFile('P-16', 'a fifo', 'archive_member_unsupported', { typeflag: '6' }),
  notAFile('P-16', 'a contiguous file', 'archive_member_unsupported', { typeflag: '7' }),
  notAFile('P-16', 'a sparse file', 'archive_member_unsupported', { typeflag: 'S' }),
  notAFile('P-16', 'a GNU long name', 'archive_member_unsupported', { typeflag: 'L' }),
  notAFile('P-16', 'a GNU long link', 'archive_member_unsupported', { typeflag: 'K' }),
  notAFile('P-16', 'a GNU multi-volume member', 'archive_member_unsupported', { typeflag: 'M' }),
  notAFile('P-16', 'a file of the old form', 'archive_member_unsupported', { typeflag: '\0' }),
  notAFile('P-16', 'a member of an unknown type', 'archive_member_unsupported', { typeflag: 'Z' }),
  reading({
    shows: 'P-16',
    differs: 'a global extended header',
    code: 'archive_member_unsupported',
    unchanged: gzip(archive([paxMember({ path: 'package/a' }, 'x'), member({ name: 'package/a' })])),
    changed: gzip(archive([paxMember({ path: 'package/a' }, 'g'), member({ name: 'package/a' })])),
  }),
]

const paths: readonly Counterfactual[] = [
  path('that is absolute', '/package/a'),
  path('that leaves the package', 'package/../a'),
  path('that begins outside', '../package/a'),
  path('with a name of one dot', 'package/./a'),
  path('with an empty name', 'package//a'),
  path('that ends in a stroke', 'package/a/'),
  path('of nothing', ''),
  path('with a backslash', 'package\\a'),
  path('with a drive letter', 'C:/package/a'),
  path('with a stream of a file', 'package/a:b'),
  path('with a wildcard', 'package/a*'),
  path('with a line feed', 'package/a\nb'),
  path('with a mark that turns the direction of writing', 'package/a\u202eb'),
  path('that is not UTF-8', Buffer.from([...Buffer.from('package/'), 0xff])),
  path('in another Unicode form', 'package/u\u0308'),
  path('with a name that ends in a dot', 'package/a./b'),
  path('with a name that ends in a space', 'package/a '),
  path('with the name of a device', 'package/aux.js'),
  path('with the name of a numbered device', 'package/COM1'),
  reading({
    shows: 'P-17',
    differs: 'a path with a NUL in an extended header',
    code: 'archive_unsafe_path',
    unchanged: tarball([{ path: `${'a'.repeat(120)}b`, content: '' }]),
    changed: tarball([{ path: `${'a'.repeat(120)}\0`, content: '' }]),
  }),
  reading({
    shows: 'P-17',
    differs: 'a name of more than 255 bytes',
    code: 'archive_unsafe_path',
    unchanged: tarball([{ path: 'a'.repeat(255), content: '' }]),
    changed: tarball([{ path: 'a'.repeat(256), content: '' }]),
  }),
  reading({
    shows: 'P-18',
    differs: 'a second root',
    code: 'archive_multiple_roots',
    unchanged: gzip(archive([fileMember('package/a', ''), fileMember('package/b', '')])),
    changed: gzip(archive([fileMember('package/a', ''), fileMember('other/b', '')])),
  }),
  reading({
    shows: 'P-18',
    differs: 'a file in place of the root',
    code: 'archive_multiple_roots',
    unchanged: oneMember(),
    changed: oneMember({}, 'package'),
  }),
  field('P-19', 'mode 0777', 'archive_mode_unexpected', { mode: octal(0o777, 8) }),
  field('P-19', 'a setuid bit', 'archive_mode_unexpected', { mode: octal(0o4755, 8) }, { mode: octal(0o755, 8) }),
  field('P-19', 'mode 0600', 'archive_mode_unexpected', { mode: octal(0o600, 8) }),
  field('P-19', 'bits of a type in the mode', 'archive_mode_unexpected', { mode: octal(0o100644, 8) }),
]

const canonical: readonly Counterfactual[] = [
  field('P-15', 'the magic of GNU', 'archive_not_canonical', { magic: 'ustar  \0' }),
  field('P-15', 'no magic', 'archive_not_canonical', { magic: '' }),
  field('P-15', 'a size in base 256', 'archive_not_canonical', {
    size: Buffer.from([0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7]),
  }),
  field('P-15', 'a size without an end', 'archive_not_canonical', { size: '000000000007' }),
  field('P-15', 'a mode with spaces before', 'archive_not_canonical', { mode: '   644 \0' }),
  field('P-15', 'a mode that does not fill its field', 'archive_not_canonical', { mode: '644\0' }),
  field('P-15', 'a time with a sign', 'archive_not_canonical', { mtime: '-0000000001\0' }),
  field('P-15', 'an owner', 'archive_not_canonical', { uid: octal(1000, 8) }),
  field('P-15', 'an owner by name', 'archive_not_canonical', { uname: 'root' }),
  field('P-15', 'a group', 'archive_not_canonical', { gid: octal(1000, 8) }),
  field('P-15', 'the target of a link in a file', 'archive_not_canonical', { linkname: 'b' }),
  field('P-15', 'a device number in a file', 'archive_not_canonical', { devmajor: octal(8, 8) }),
  field('P-15', 'bytes behind the last field', 'archive_not_canonical', { rest: 'tar\0' }),
  field('P-15', 'bytes behind the end of a name', 'archive_not_canonical', { name: 'package/a\0b' }),
  field('P-15', 'bytes behind the end of a prefix', 'archive_not_canonical', { prefix: '\0b' }),
  reading({
    shows: 'P-15',
    differs: 'a checksum with spaces before',
    code: 'archive_not_canonical',
    unchanged: oneMember(),
    changed: oneMember({ checksum: checksumOf({ name: 'package/a', size: octal(7, 12) }).replace(/^0/, ' ') }),
  }),
  reading({
    shows: 'P-15',
    differs: 'other bytes than zeros as padding',
    code: 'archive_not_canonical',
    unchanged: gzip(archive([header({ name: 'package/a', size: octal(1, 12) }), Buffer.alloc(512)])),
    changed: gzip(archive([header({ name: 'package/a', size: octal(1, 12) }), flipped(Buffer.alloc(512), 511)])),
  }),
  reading({
    shows: 'P-15',
    differs: 'a file name in the gzip header',
    code: 'archive_not_canonical',
    changed: tarball(smallPackage, { flags: 8, optional: Buffer.from('a.tar\0') }),
  }),
  pax('another path in an extended header', 'archive_not_canonical', { path: 'package/b' }),
  pax('another size in an extended header', 'archive_not_canonical', { size: '6' }),
  pax('another time in an extended header', 'archive_not_canonical', { mtime: '1' }),
  pax('an unknown record in an extended header', 'archive_not_canonical', { 'GNU.sparse.size': '7' }),
  pax('a record twice in an extended header', 'archive_not_canonical', twice('path', 'package/a')),
  pax('a record without its line feed', 'archive_malformed', Buffer.from('17 path=package/a ')),
  pax('a record of another length', 'archive_malformed', Buffer.from('19 path=package/a\n')),
  pax('a record without a value', 'archive_malformed', Buffer.from('5 ab\n')),
  pax('a record without a length', 'archive_malformed', Buffer.from('path=package/a\n')),
  reading({
    shows: 'P-15',
    differs: 'an extended header of more than 4096 bytes',
    code: 'archive_not_canonical',
    unchanged: longPathMember(4085),
    changed: longPathMember(4086),
  }),
  reading({
    shows: 'P-15',
    differs: 'two extended headers for one member',
    code: 'archive_not_canonical',
    unchanged: gzip(archive([paxMember({ path: 'package/a' }), member({ name: 'package/a' })])),
    changed: gzip(
      archive([paxMember({ path: 'package/a' }), paxMember({ path: 'package/a' }), member({ name: 'package/a' })]),
    ),
  }),
  reading({
    shows: 'P-15',
    differs: 'an extended header for no member',
    code: 'archive_not_canonical',
    unchanged: gzip(archive([member({ name: 'package/a' })])),
    changed: gzip(archive([member({ name: 'package/a' }), paxMember({ path: 'package/b' })])),
  }),
  reading({
    shows: 'P-15',
    differs: 'a short name in place of a cut one',
    code: 'archive_not_canonical',
    unchanged: tarball([{ path: 'a'.repeat(255), content: '' }]),
    changed: gzip(archive([paxMember({ path: `package/${'a'.repeat(255)}` }), member({ name: 'package/aaa' })])),
  }),
]

const large: readonly Counterfactual[] = [
  reading({
    shows: 'P-12',
    differs: 'a file of one byte more than allowed',
    code: 'archive_too_large',
    unchanged: stored('x'.repeat(100)),
    changed: gzip(Buffer.concat([tar([{ path: 'package.json', content: 'x' }]), Buffer.alloc(1)]), { level: 0 }),
    limits: { ...roomy, packedBytes: stored('x'.repeat(100)).length },
  }),
  reading({
    shows: 'P-12',
    differs: 'an archive of one block more than allowed',
    code: 'archive_too_large',
    unchanged: tarball(filled(9)),
    changed: tarball(filled(10)),
    limits: { ...roomy, unpackedBytes: tar(filled(9)).length },
  }),
  reading({
    shows: 'P-12',
    differs: 'a bomb of zeros',
    code: 'archive_too_large',
    changed: gzip(Buffer.concat([tar(smallPackage), Buffer.alloc(1 << 22)])),
  }),
  reading({
    shows: 'P-12',
    differs: 'one file more than allowed',
    code: 'archive_too_large',
    changed: tarball([...smallPackage, { path: 'more', content: '' }]),
    limits: { ...roomy, files: smallPackage.length },
  }),
]

/** Bound: the small package. Then its tarball is read again, or another one in its place. */
const comparing = (
  shows: Counterfactual['shows'],
  differs: string,
  code: RefusalCode,
  changed: Uint8Array,
): Counterfactual => ({
  shows,
  differs,
  layer: 'U',
  code,
  async run(folder, change) {
    const entry = entryOf(await readBytes(folder, whole))
    const read = await readBytes(folder, { unchanged: whole, changed }[change])
    return await endingOf(() => comparePackage(entry, read))
  },
})

/** The tarball stays; the entry of the manifest says one thing otherwise. */
const lying = (differs: string, file: Partial<PackageEntry['file']>): Counterfactual => ({
  shows: ['P-07'],
  differs: `an entry with another ${differs}`,
  layer: 'U',
  code: 'record_digest_mismatch',
  async run(folder, change) {
    const read = await readBytes(folder, whole)
    const entry = entryOf(read)
    const told = { ...entry, file: { ...entry.file, ...(change === 'changed' ? file : {}) } }
    return await endingOf(() => comparePackage(told, read))
  },
})

const changedFile = (path: string, change: (file: PackedFile) => readonly PackedFile[]) =>
  tarball(smallPackage.flatMap((one) => (one.path === path ? change(one) : [one])))

const compared: readonly Counterfactual[] = [
  comparing(['P-07'], 'one byte of the gzip header', 'archive_sha256_mismatch', flipped(whole, 9)),
  comparing(['P-09'], 'another compression level', 'archive_sha256_mismatch', tarball(smallPackage, { level: 1 })),
  comparing(['P-09'], 'another order of the members', 'archive_encoding_drift', reversed()),
  comparing(['P-09'], 'another time', 'archive_encoding_drift', tarball(smallPackage, { mtime: 0 })),
  comparing(
    ['P-08'],
    'one byte of a file',
    'file_content_mismatch',
    changedFile('dist/index.js', (file) => [{ ...file, content: 'export const answer = 43\n' }]),
  ),
  comparing(
    ['P-08'],
    'one byte more in a file',
    'file_content_mismatch',
    changedFile('README.md', (file) => [{ ...file, content: `${file.content}\n` }]),
  ),
  comparing(
    ['P-08', 'P-19'],
    'a program without its mode',
    'file_content_mismatch',
    changedFile('bin/run.js', (file) => [{ ...file, mode: '0644' }]),
  ),
  comparing(
    ['P-20'],
    'a stale file',
    'file_extra',
    changedFile('dist/index.js', (file) => [file, { path: 'dist/stale.js', content: '' }]),
  ),
  comparing(
    ['P-21'],
    'a file less',
    'file_missing',
    changedFile('dist/index.js', () => []),
  ),
  comparing(
    ['P-22'],
    'a file renamed in case only',
    'file_missing',
    changedFile('README.md', (file) => [{ ...file, path: 'Readme.md' }]),
  ),
  lying('size', { size: 1 }),
  lying('sha512', { sha512: `sha512-${'A'.repeat(86)}==` }),
  lying('sha1', { sha1: '0'.repeat(40) }),
  lying('tarSha256', { tarSha256: '0'.repeat(64) }),
  lying('treeSha256', { treeSha256: '0'.repeat(64) }),
]

const withoutManifest: Counterfactual = {
  shows: ['P-21'],
  differs: 'a tarball without package.json',
  layer: 'U',
  code: 'file_missing',
  run(folder, change) {
    const file = join(folder, 'x-spec-1.0.0.tgz')
    const without = smallPackage.filter(({ path }) => path !== 'package.json')
    writeFileSync(file, tarball({ unchanged: smallPackage, changed: without }[change]))
    return endingOf(() => inspectTarball(file))
  },
}

/** P-07 to P-09 and P-12 to P-22: every code of archives and of their files. */
export const archiveCases: readonly Counterfactual[] = [
  ...malformed,
  ...trailing,
  ...members,
  ...paths,
  ...canonical,
  ...large,
  ...compared,
  withoutManifest,
]

function checksumOf(fields: HeaderFields): string {
  return header(fields).toString('latin1', 148, 156)
}

function twice(key: string, value: string): Buffer {
  return Buffer.concat([paxRecord(key, value), paxRecord(key, value)])
}

function reversed(): Buffer {
  return tarball(smallPackage.toReversed(), { order: 'given' })
}
