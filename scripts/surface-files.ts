// What the golden files of the public surface say, and how they are compared.
//
// Declarations are rolled up by rollup-plugin-dts: of the tools for it the one that takes the compiler of this repository (its
// rivals bring their own), keeps docstrings, and drops what an entry does not reach.
import { spawnSync } from 'node:child_process'
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { rollup } from 'rollup'
import { dts } from 'rollup-plugin-dts'
import type { Staged, Tarball } from './pack-published.ts'
import { root } from './published.ts'
import { changelogFile } from './published-manifest.ts'

/** Path from the root, like `packages/sdk/api/worker.d.ts` → its text. */
export type Surface = ReadonlyMap<string, string>

/** The surface of packed packages. */
export async function surfaceOf(staged: readonly Staged[], tarballs: readonly Tarball[]): Promise<Surface> {
  const surface = new Map<string, string>()
  for (const { one, folder } of staged) {
    for (const [path, entry] of one.entries) {
      const specifier = one.name + path.slice(1)
      surface.set(`${one.path}/api/${entry}.d.ts`, await rolledUp(join(folder, `dist/${entry}.d.ts`), specifier))
    }
    const tarball = tarballs.find(({ name }) => name === one.name)
    if (tarball === undefined) throw new Error(`${one.name} is not packed`)
    surface.set(`${one.path}/api/files.txt`, fileList(tarball.files))
  }
  return surface
}

async function rolledUp(file: string, specifier: string): Promise<string> {
  const bundle = await rollup({
    input: file,
    plugins: [dts()],
    // What is generated from spec/ is named, not repeated: it has its own check against drift.
    external: (id) => !/^[./]/.test(id) || id.includes('/generated/'),
    onwarn: (warning) => {
      throw new Error(`${specifier}: ${warning.message}`)
    },
  })
  const { output } = await bundle.generate({ format: 'es' })
  await bundle.close()
  return `// All that \`${specifier}\` opens to its users. Written by \`pnpm surface:accept\`.\n\n${output[0].code.trim()}\n`
}

/**
 * The name of a chunk changes with its content, which is no change of what is packed; the changelog comes with the first
 * version that changesets writes.
 */
function fileList(files: readonly string[]): string {
  const listed = files.filter((path) => path !== changelogFile)
  const names = listed.map((path) => path.replace(/(?<=\bchunk-)[A-Z0-9]{8}(?=\.c?js$)/, '*'))
  return `${names.toSorted().join('\n')}\n`
}

/** The golden files as they are. */
export function acceptedSurface(): Surface {
  return new Map(goldenFiles().map((path) => [path, readFileSync(join(root, path), 'utf8')]))
}

/** One text for each file that is not as it was accepted, with the difference. */
export function surfaceDifferences(surface: Surface): string[] {
  const accepted = acceptedSurface()
  const stale = [...accepted.keys()].filter((path) => !surface.has(path))
  return [
    ...stale.map((path) => `${path} is of no published entry any more`),
    ...[...surface].flatMap(([path, text]) => {
      if (!accepted.has(path)) return [`${path} is missing`]
      return accepted.get(path) === text ? [] : [difference(path, text)]
    }),
  ]
}

function difference(path: string, text: string): string {
  const { stdout } = spawnSync('git', ['diff', '--no-index', '--no-color', '--no-ext-diff', '--', path, '-'], {
    cwd: root,
    input: text,
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  })
  const from = stdout.indexOf('@@')
  return `${path} differs (- accepted, + now):\n${stdout.slice(Math.max(from, 0))}`
}

/** Writes the golden files; those of entries that are no more are removed. */
export function acceptSurface(surface: Surface): void {
  for (const path of goldenFiles()) if (!surface.has(path)) rmSync(join(root, path))
  for (const [path, text] of surface) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
}

const goldenFiles = (): string[] => globSync('{packages,apps}/*/api/*', { cwd: root }).toSorted()
