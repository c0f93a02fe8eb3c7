// Makes the release before this one, which never was: the accepted tarballs under a lower version, with one declared edit.
//
//   node predecessor.ts TARBALLS OUT VERSION [EDIT]     without EDIT the same code under the lower version
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

interface Edit {
  /** Start of the tarball's name. */
  readonly tarball: string
  readonly files: readonly string[]
  readonly from: string
  readonly to: string
}

const edits: Readonly<Record<string, Edit>> = {
  // No refusal is a receipt: the worker takes each for a fault of its own, and ends.
  'worker-dies-on-receipt': {
    tarball: 'durable-workflow-sdk-',
    files: ['dist/worker.js', 'dist/worker.cjs'],
    from: 'function settlementOfWorkflowTask(reply, claim) {',
    to: 'function settlementOfWorkflowTask(reply, claim) { return undefined;',
  },
}

const [tarballs, out, version, name, ...more] = process.argv.slice(2)
const edit = name === undefined ? undefined : edits[name]
if (tarballs === undefined || out === undefined || version === undefined || more.length > 0) {
  throw new Error('usage: node predecessor.ts TARBALLS OUT VERSION [EDIT]')
}
if (name !== undefined && edit === undefined) throw new Error(`no edit ${name}; there is ${Object.keys(edits)}`)

// Below every other version with these numbers, prereleases included: numbers sort before words.
const lower = `${version.replace(/[-+].*$/, '')}-0.before`
const workshop = mkdtempSync(join(tmpdir(), 'predecessor-'))
try {
  mkdirSync(out, { recursive: true })
  const files = readdirSync(tarballs).filter((file) => file.endsWith(`-${version}.tgz`))
  if (files.length === 0) throw new Error(`${tarballs} has no tarball of version ${version}`)
  for (const file of files) {
    const folder = join(workshop, file)
    mkdirSync(folder)
    execFileSync('tar', ['-xzf', join(tarballs, file), '-C', folder])
    lowerVersion(join(folder, 'package/package.json'), version)
    if (edit !== undefined && file.startsWith(edit.tarball)) apply(edit, join(folder, 'package'))
    execFileSync('tar', ['-czf', join(out, file.replace(`-${version}.tgz`, `-${lower}.tgz`)), '-C', folder, 'package'])
  }
} finally {
  rmSync(workshop, { recursive: true })
}

/** Every exact version of the set becomes the lower one: that of the package, and of those it needs. */
function lowerVersion(file: string, from: string): void {
  const text = readFileSync(file, 'utf8')
  const changed = text.replaceAll(
    new RegExp(`("version"|"@durable-workflow/[a-z-]+"): "${from.replaceAll('.', '\\.')}"`, 'g'),
    `$1: "${lower}"`,
  )
  if (changed === text) throw new Error(`${file} has no version ${from}`)
  writeFileSync(file, changed)
}

function apply({ files, from, to }: Edit, folder: string): void {
  for (const file of files) {
    const text = readFileSync(join(folder, file), 'utf8')
    const found = text.split(from).length - 1
    if (found !== 1)
      throw new Error(`${file} has ${JSON.stringify(from)} ${found} times, not once: declare the edit anew`)
    writeFileSync(
      join(folder, file),
      text.replace(from, () => to),
    )
  }
}
