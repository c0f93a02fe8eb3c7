// Builds one published package: ESM and CJS by tsup, declarations by the compiler.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { build } from 'tsup'
import ts from 'typescript'
import { reachableDeclarations, withBuiltSpecifiers } from './declarations.ts'
import type { Published } from './published.ts'

/**
 * Builds into a folder, which is emptied first.
 *
 * @throws Error when the sources cannot be bundled, or a declaration cannot be written without naming what is private
 */
export async function buildPackage(one: Published, dist: string): Promise<void> {
  rmSync(dist, { recursive: true, force: true })
  await bundle(one, dist)
  writeLicences(one, dist)
  for (const [path, text] of declarationsOf(one)) {
    mkdirSync(dirname(join(dist, path)), { recursive: true })
    writeFileSync(join(dist, path), withBuiltSpecifiers(text, '.js'))
    if (one.hasCommonJs) {
      writeFileSync(join(dist, path.replace(/\.d\.ts$/, '.d.cts')), withBuiltSpecifiers(text, '.cjs'))
    }
  }
}

async function bundle(one: Published, dist: string): Promise<void> {
  const { folder, entries, programs, hasCommonJs, bundled } = one
  const names = [...new Set([...entries.values(), ...programs.values()])]
  await build({
    config: false,
    silent: true,
    entry: Object.fromEntries(names.map((name) => [name, join(folder, `src/${name}.ts`)])),
    outDir: dist,
    format: hasCommonJs ? ['esm', 'cjs'] : ['esm'],
    // One shared chunk for what two entries use: an error class or a symbol must exist once, in CJS too.
    splitting: true,
    shims: hasCommonJs,
    target: 'node22',
    // Nothing of another package is copied in, but what the manifest says: what is imported must be installed.
    skipNodeModulesBundle: true,
    noExternal: [...bundled],
    // A bundled CommonJS package asks for Node's modules by `require`, which ESM does not have.
    ...(bundled.length > 0 && { banner: { js: requireInModules } }),
    // `node:sqlite` has no name without its prefix.
    removeNodeProtocol: false,
    tsconfig: join(folder, 'tsconfig.json'),
  })
}

const requireInModules = "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);"

/** What is copied in brings its licence along. @throws Error when a bundled package has none */
function writeLicences({ folder, bundled }: Published, dist: string): void {
  if (bundled.length === 0) return
  const texts = bundled.map((name) => {
    const home = join(folder, 'node_modules', name)
    const { version } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'))
    return `${name} ${version}\n\n${readFileSync(join(home, 'LICENSE'), 'utf8').trim()}\n`
  })
  writeFileSync(join(dist, 'THIRD-PARTY-LICENSES.txt'), texts.join(`\n${'-'.repeat(80)}\n\n`))
}

/** Path in dist → text, of the declarations that an entry reaches. */
function declarationsOf({ name, folder, entries }: Published): ReadonlyMap<string, string> {
  const source = join(folder, 'src')
  const program = ts.createProgram({
    rootNames: [...entries.values()].map((entry) => join(source, `${entry}.ts`)),
    options: { ...optionsOf(folder), noEmit: false, declaration: true, emitDeclarationOnly: true, rootDir: source },
  })
  const emitted = new Map<string, string>()
  const { diagnostics } = program.emit(undefined, (path, text, _mark, _error, files) => {
    const [file] = files ?? []
    if (file?.fileName.startsWith(`${source}/`)) {
      emitted.set(relative(source, file.fileName).replace(/\.ts$/, '.d.ts'), text)
    } else throw new Error(`${name}: ${path} is emitted from outside of src/`)
  })
  if (diagnostics.length > 0) throw new Error(`${name}: ${said(diagnostics)}`)
  return reachableDeclarations(
    emitted,
    [...entries.values()].map((entry) => `${entry}.d.ts`),
  )
}

function optionsOf(folder: string): ts.CompilerOptions {
  const path = join(folder, 'tsconfig.json')
  const parsed = ts.getParsedCommandLineOfConfigFile(path, {}, { ...ts.sys, onUnRecoverableConfigFileDiagnostic: stop })
  if (parsed === undefined || parsed.errors.length > 0) throw new Error(`${path}: ${said(parsed?.errors ?? [])}`)
  return parsed.options
}

function stop(diagnostic: ts.Diagnostic): never {
  throw new Error(said([diagnostic]))
}

function said(diagnostics: readonly ts.Diagnostic[]): string {
  return ts.formatDiagnostics(diagnostics, {
    getCanonicalFileName: (name) => name,
    getCurrentDirectory: ts.sys.getCurrentDirectory,
    getNewLine: () => '\n',
  })
}
