// How long it takes to verify a tarball of 100 MiB unpacked, and how much memory: `pnpm bench:verify [TARBALL…]`.
//
// The tarball is made of seeded files and packed by the pinned pnpm; each verification is a process of its own and runs the
// built package. Tarballs that are named are measured instead. Exit code 0 when everything was measured; a missed aim is a line,
// not a failure.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { median } from './statistics.ts'
import { packSample } from './verify-tarball/sample.ts'

const repetitions = 5
const aim = { seconds: 3, mebibytes: 100 }
const mebibyte = 2 ** 20

interface Verified {
  readonly seconds: number
  readonly peakBytes: number
  readonly files: number
  readonly unpackedBytes: number
}

const folder = mkdtempSync(join(tmpdir(), 'durable-workflow-verify-'))
try {
  const named = process.argv.slice(2)
  if (named.length > 0) for (const file of named) report(file)
  else {
    mkdirSync(join(folder, 'sample'))
    console.log('making a package of 100 MiB')
    const verdict = report(packSample(join(folder, 'sample')))
    console.log(`aim: under ${aim.seconds} s and under ${aim.mebibytes} MiB at most: ${verdict ? 'met' : 'missed'}`)
  }
} finally {
  rmSync(folder, { recursive: true })
}

/** Measures one tarball and prints a line; answers whether all repetitions are within the aim. */
function report(file: string): boolean {
  const runs = Array.from({ length: repetitions }, () => verifiedByChild(file))
  const seconds = runs.map((one) => one.seconds)
  const peaks = runs.map((one) => one.peakBytes / mebibyte)
  const [{ files, unpackedBytes } = { files: 0, unpackedBytes: 0 }] = runs
  const mebibytes = (unpackedBytes / mebibyte).toFixed(1)
  console.log(`${basename(file)}: ${files} files, ${mebibytes} MiB; ${span(seconds, 3)} s; peak ${span(peaks, 1)} MiB`)
  return Math.max(...seconds) < aim.seconds && Math.max(...peaks) < aim.mebibytes
}

/** Median and range. */
function span(values: readonly number[], digits: number): string {
  return `${median(values).toFixed(digits)} (${Math.min(...values).toFixed(digits)} to ${Math.max(...values).toFixed(digits)})`
}

function verifiedByChild(file: string): Verified {
  const program = join(import.meta.dirname, 'verify-tarball/once.mjs')
  const answer: unknown = JSON.parse(execFileSync(process.execPath, [program, file], { encoding: 'utf8' }))
  const said = new Map(typeof answer === 'object' && answer !== null ? Object.entries(answer) : [])
  const figure = (name: keyof Verified) => Number(said.get(name))
  return {
    seconds: figure('seconds'),
    peakBytes: figure('peakBytes'),
    files: figure('files'),
    unpackedBytes: figure('unpackedBytes'),
  }
}
