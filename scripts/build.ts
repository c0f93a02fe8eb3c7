// Builds what is published: ESM and CJS by tsup, declarations by the compiler.
//
//   node scripts/build.ts [PACKAGE …]      names without the scope: codec sdk
import { execFileSync } from 'node:child_process'
import { cpSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { withBuiltSpecifiers } from './declarations.ts'
import { type Published, publishedPackages, root } from './published.ts'

const bin = join(root, 'node_modules/.bin')

function bundle({ folder, entries }: Published): void {
  // One shared chunk for what two entries use: an error class or a symbol must exist once, in CJS too.
  const shape = [
    '--format',
    'esm,cjs',
    '--splitting',
    '--shims',
    '--target',
    'node22',
    '--out-dir',
    'dist',
    '--no-config',
    '--silent',
  ]
  execFileSync(join(bin, 'tsup'), [...[...entries.values()].map((entry) => `src/${entry}.ts`), ...shape], {
    cwd: folder,
    stdio: 'inherit',
  })
}

function declare({ folder }: Published): void {
  const shape = ['--noEmit', 'false', '--declaration', '--emitDeclarationOnly', '--rootDir', 'src', '--outDir', 'dist']
  const config = join(folder, 'dist/tsconfig.json')
  writeFileSync(
    config,
    JSON.stringify({ extends: '../tsconfig.json', include: ['../src'], exclude: ['../src/**/*.test.ts'] }),
  )
  execFileSync(
    join(bin, 'tsc'),
    ['-p', config, ...shape.map((word) => (word === 'src' || word === 'dist' ? join(folder, word) : word))],
    { cwd: folder, stdio: 'inherit' },
  )
  rmSync(config)
  for (const file of globSync('dist/**/*.d.ts', { cwd: folder }).map((path) => join(folder, path))) {
    const text = readFileSync(file, 'utf8')
    writeFileSync(file.replace(/\.d\.ts$/, '.d.cts'), withBuiltSpecifiers(text, '.cjs'))
    writeFileSync(file, withBuiltSpecifiers(text, '.js'))
  }
}

const wanted = process.argv.slice(2)
for (const one of publishedPackages()) {
  if (wanted.length > 0 && !wanted.some((name) => one.folder.endsWith(`/${name}`))) continue
  const began = performance.now()
  rmSync(join(one.folder, 'dist'), { recursive: true, force: true })
  bundle(one)
  declare(one)
  cpSync(join(root, 'LICENSE'), join(one.folder, 'dist/LICENSE'))
  console.log(`${one.name}  ${[...one.entries.keys()].join(' ')}  ${((performance.now() - began) / 1000).toFixed(1)} s`)
}
