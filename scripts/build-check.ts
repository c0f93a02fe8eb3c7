// Looks at the built packages as a consumer does: publint, are-the-types-wrong, and both ways of loading every entry.
//
//   node scripts/build-check.ts [PACKAGE …]      after `pnpm build`
//
// A published manifest differs from ours in two things: no `source` condition, and declarations of their own for
// `require`. That form is made here, in a folder outside of the workspace.
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fields, type Published, publishedPackages, root } from './published.ts'

const bin = join(root, 'node_modules/.bin')

function publishedManifest({ manifest, entries }: Published): Record<string, unknown> {
  const exports = Object.fromEntries(
    [...entries].map(([path, entry]) => [
      path,
      {
        import: { types: `./dist/${entry}.d.ts`, default: `./dist/${entry}.js` },
        require: { types: `./dist/${entry}.d.cts`, default: `./dist/${entry}.cjs` },
      },
    ]),
  )
  const dependencies = Object.fromEntries(
    [...fields(manifest.get('dependencies'))].map(([name, range]) => [
      name,
      `${range}`.replace(/^workspace:\*$/, `${manifest.get('version')}`),
    ]),
  )
  const { devDependencies: _, ...kept } = Object.fromEntries(manifest)
  return { ...kept, exports, dependencies }
}

/** Lays the package out as an installed one, its dependencies beside it. */
function stage(one: Published, modules: string): string {
  const folder = join(modules, one.name)
  mkdirSync(folder, { recursive: true })
  cpSync(join(one.folder, 'dist'), join(folder, 'dist'), { recursive: true })
  if (existsSync(join(one.folder, 'README.md'))) cpSync(join(one.folder, 'README.md'), join(folder, 'README.md'))
  writeFileSync(join(folder, 'package.json'), JSON.stringify(publishedManifest(one), null, 2))
  for (const [name, range] of fields(one.manifest.get('dependencies'))) {
    if (`${range}`.startsWith('workspace:') || existsSync(join(modules, name))) continue
    mkdirSync(dirname(join(modules, name)), { recursive: true })
    symlinkSync(join(one.folder, 'node_modules', name), join(modules, name))
  }
  return folder
}

/** Runs a judge; its word is the output, shown only when it complains. */
function complains(what: string, command: string, args: readonly string[], cwd: string): boolean {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, encoding: 'utf8' })
  if (status === 0) return false
  console.log(`${what}: ${error?.message ?? `exit code ${status}`}\n${stdout ?? ''}${stderr ?? ''}`)
  return true
}

function complaintsAbout(one: Published, folder: string, workshop: string): number {
  execFileSync('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', workshop], {
    cwd: folder,
    stdio: 'ignore',
  })
  const tarball = join(workshop, `${one.name.replace('@', '').replace('/', '-')}-${one.manifest.get('version')}.tgz`)
  const loads = [...one.entries.keys()].flatMap((path) => {
    const specifier = one.name + path.slice(1)
    return [
      complains(
        `import ${specifier}`,
        process.execPath,
        ['--input-type=module', '-e', `await import('${specifier}')`],
        workshop,
      ),
      complains(
        `require ${specifier}`,
        process.execPath,
        ['--input-type=commonjs', '-e', `require('${specifier}')`],
        workshop,
      ),
    ]
  })
  const judged = [
    complains(`publint ${one.name}`, join(bin, 'publint'), ['--strict', folder], folder),
    // node10 knows no `exports` at all, and no supported Node does without them.
    complains(`attw ${one.name}`, join(bin, 'attw'), ['--profile', 'node16', '--no-color', tarball], workshop),
  ]
  return [...loads, ...judged].filter(Boolean).length
}

const workshop = mkdtempSync(join(tmpdir(), 'build-check-'))
try {
  const wanted = process.argv.slice(2)
  const packages = publishedPackages().filter(
    ({ folder }) => wanted.length === 0 || wanted.some((name) => folder.endsWith(`/${name}`)),
  )
  const unbuilt = packages.filter(({ folder }) => !existsSync(join(folder, 'dist')))
  if (unbuilt.length > 0)
    throw new Error(`not built: ${unbuilt.map(({ name }) => name).join(', ')}; run \`pnpm build\` first`)
  const staged = packages.map((one) => ({ one, folder: stage(one, join(workshop, 'node_modules')) }))
  let complaints = 0
  for (const { one, folder } of staged) {
    const mine = complaintsAbout(one, folder, workshop)
    complaints += mine
    console.log(`${one.name}  ${mine === 0 ? 'publint, attw, import and require are content' : `${mine} complaints`}`)
  }
  process.exitCode = complaints === 0 ? 0 : 1
} finally {
  rmSync(workshop, { recursive: true, force: true })
}
