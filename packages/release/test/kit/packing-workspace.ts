// A workspace of two packages that the pinned TypeScript builds and the pinned pnpm packs, from files alone.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { git } from '../../src/git.ts'
import type { Policy } from '../../src/policy.ts'
import type { Commit } from '../../src/source.ts'
import { packedSet } from './packed-set.ts'
import { commitAll } from './source-repository.ts'

const packer = ['npx', '-y', 'pnpm@12.4.2'] as const

/** The policy of that workspace; its install takes what the store has, and asks nobody. */
export const packingPolicy: Policy = {
  ...packedSet.policy,
  packages: { '@x/engine': 'packages/engine', '@x/spec': 'packages/spec' },
  files: { required: ['CHANGELOG.md', 'LICENSE', 'README.md', 'package.json'], allowed: ['dist/'] },
  pack: {
    install: [...packer, 'install', '--frozen-lockfile', '--offline'],
    command: ['node', 'pack.mjs', '{out}', '{commit}'],
    packer,
  },
  protocol: { released: 'released', lines: {}, schemas: {} },
}

// The text of package.json is kept as it is besides, so that pnpm sees its white space and its line ends (P-04).
const packScript = `
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'

const [out, commit] = process.argv.slice(2)
for (const name of ['spec', 'engine']) {
  execFileSync('node', ['node_modules/typescript/bin/tsc', '-p', 'packages/' + name], { stdio: 'inherit' })
  const file = 'packages/' + name + '/package.json'
  const text = readFileSync(file, 'utf8')
  if (!text.includes('gitHead')) writeFileSync(file, text.replace('{', '{ "gitHead": "' + commit + '",'))
}
execFileSync('npx', ['-y', 'pnpm@12.4.2', '--recursive', '--filter', './packages/*', 'pack', '--pack-destination', out])
`

const manifestOf = (name: string, dependencies: Readonly<Record<string, string>> = {}): string =>
  `${JSON.stringify(
    {
      name,
      version: '1.2.3',
      license: 'MIT',
      type: 'module',
      exports: { '.': { types: './dist/index.d.ts', default: './dist/index.js' } },
      files: ['dist', 'CHANGELOG.md'],
      dependencies,
    },
    null,
    2,
  )}\n`

const filesOf = (name: string, source: string, dependencies?: Readonly<Record<string, string>>) => ({
  [`packages/${name}/CHANGELOG.md`]: `# @x/${name}\n\n## 1.2.3\n\n- It began.\n`,
  [`packages/${name}/LICENSE`]: 'MIT\n',
  [`packages/${name}/README.md`]: `# @x/${name}\n`,
  [`packages/${name}/package.json`]: manifestOf(`@x/${name}`, dependencies),
  [`packages/${name}/src/index.ts`]: source,
  [`packages/${name}/tsconfig.json`]:
    '{"extends":"../../tsconfig.json","compilerOptions":{"rootDir":"src","outDir":"dist"},"include":["src"]}\n',
})

const files: Readonly<Record<string, string>> = {
  '.gitignore': 'dist/\nnode_modules/\n',
  'pack.mjs': packScript,
  'package.json': `${JSON.stringify({ name: 'root', private: true, packageManager: 'pnpm@12.4.2', devDependencies: { typescript: '6.0.3' } })}\n`,
  'pnpm-workspace.yaml': 'packages:\n  - packages/*\nignoreScripts: true\n',
  'released/index.json': '{}\n',
  'tsconfig.json':
    '{"compilerOptions":{"module":"nodenext","target":"es2024","strict":true,"types":[],"declaration":true,"declarationMap":true,"sourceMap":true}}\n',
  ...filesOf('spec', "export interface Run {\n  readonly id: string\n}\nexport const spec = '1.19'\n"),
  ...filesOf(
    'engine',
    "import { type Run, spec } from '@x/spec'\nexport const engine = (run: Run): string => [run.id, spec].join()\n",
    { '@x/spec': 'workspace:*' },
  ),
}

/** Makes the workspace as a repository with one commit on `main`. */
export function makeWorkspace(folder: string): Commit {
  mkdirSync(folder, { recursive: true })
  git(folder, 'init', '--quiet', '--initial-branch=main', '--template=')
  for (const [path, content] of Object.entries({ ...files, 'pnpm-lock.yaml': lockfile() })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
  return commitAll({ repository: folder, id: '' }, 'all')
}

/** The lockfile of this repository as far as it is about pnpm and TypeScript: both lie in the store then. */
function lockfile(): string {
  const whole = readFileSync(join(import.meta.dirname, '../../../../pnpm-lock.yaml'), 'utf8')
  const aboutPacker = whole.slice(0, whole.indexOf('\n---\n', 4))
  const typescript = /^ {2}typescript@6\.0\.3:\n(?: {4}.*\n)+/m.exec(whole)?.[0]
  if (!aboutPacker.includes('pnpm@12.4.2') || typescript === undefined) {
    throw new Error('the lockfile of this repository has no pnpm 12.4.2 or no typescript 6.0.3')
  }
  return `${aboutPacker}
---
lockfileVersion: '9.0'

settings:
  autoInstallPeers: true
  excludeLinksFromLockfile: false

importers:

  .:
    devDependencies:
      typescript:
        specifier: 6.0.3
        version: 6.0.3

  packages/engine:
    dependencies:
      '@x/spec':
        specifier: workspace:*
        version: link:../spec

  packages/spec: {}

packages:

${typescript}
snapshots:

  typescript@6.0.3: {}
`
}
