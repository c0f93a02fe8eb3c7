import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const smallFiles = 8_000
const largeFiles = 6
const largeBytes = 10 * 2 ** 20
/** Of all files together, a little more than promised: sizes are drawn. */
const allBytes = 101 * 2 ** 20

/** Packs 100 MiB with the pinned pnpm: many small texts and some large ones, the same in every run. Answers with the path. */
export function packSample(folder: string): string {
  const chance = seeded(20_261_130)
  const write = (path: string, content: string): void => {
    mkdirSync(join(folder, dirname(path)), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
  write('package.json', JSON.stringify({ name: 'sample', version: '1.0.0', files: ['dist'] }))
  const smallBytes = Math.ceil((allBytes - largeFiles * largeBytes) / smallFiles)
  for (let index = 0; index < smallFiles; index++) {
    write(`dist/part-${index % 100}/module-${index}.js`, textOf(chance, Math.round(smallBytes * (0.5 + chance()))))
  }
  for (let index = 0; index < largeFiles; index++) write(`dist/large-${index}.js`, textOf(chance, largeBytes))
  const root: unknown = JSON.parse(readFileSync(join(import.meta.dirname, '../../../package.json'), 'utf8'))
  const pinned = typeof root === 'object' && root !== null && 'packageManager' in root ? `${root.packageManager}` : ''
  execFileSync('npx', ['-y', pinned, 'pack', '--pack-destination', folder], { cwd: folder, stdio: 'pipe' })
  return join(folder, 'sample-1.0.0.tgz')
}

/** Words in lines, few of them often, as source text has them. */
function textOf(chance: () => number, bytes: number): string {
  const lines: string[] = []
  for (let length = 0; length < bytes; ) {
    const words = Array.from({ length: 8 }, () => `word${Math.floor(chance() ** 4 * 3_000).toString(36)}`)
    const line = `  const ${words.join(' ')}\n`
    lines.push(line)
    length += line.length
  }
  return lines.join('').slice(0, bytes)
}

/** Numbers from 0 up to 1, the same for one seed (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
