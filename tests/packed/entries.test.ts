// Every entry of every package, loaded and compiled from where the tarballs are installed.
import { cp, readdir, readFile, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import ts from 'typescript'
import { beforeAll, expect, inject, test } from 'vitest'
import { fields, publishedPackages } from '../../scripts/published.ts'
import { describeInstalled, elsewhere, runInstalled } from './consumer.ts'
import { readmeSample } from './readme-sample.ts'

const packages = publishedPackages()
const specifiersOf = (chosen: typeof packages): string[] =>
  chosen.flatMap(({ name, entries }) => [...entries.keys()].map((path) => name + path.slice(1)))
const specifiers = specifiersOf(packages)

/** What a program says that loads them all: the names that each opens. */
const tellNames = (load: string, resolve: string): string => `
const told = {}
for (const specifier of ${JSON.stringify(specifiers)}) {
  const module = ${load}
  const names = Object.keys(module).filter((name) => name !== 'default' && name !== '__esModule' && name !== 'module.exports')
  told[specifier] = { at: ${resolve}, names: names.sort() }
}
console.log(JSON.stringify(told))
`

describeInstalled('installed from tarballs alone', (folder) => {
  beforeAll(async () => {
    await cp(join(import.meta.dirname, 'programs'), folder, { recursive: true })
  })

  test('every entry loads by import and by require, opens the same names, and reaches no file elsewhere', async () => {
    await writeFile(join(folder, 'load.mjs'), tellNames('await import(specifier)', 'import.meta.resolve(specifier)'))
    const required = tellNames('require(specifier)', "'file://' + require.resolve(specifier)")
    await writeFile(join(folder, 'load.cjs'), required)
    const esm = await runInstalled(folder, ['node', 'load.mjs'])
    const cjs = await runInstalled(folder, ['node', 'load.cjs'])
    for (const { code, files, errors } of [esm, cjs]) {
      expect(code, errors.join('\n')).toBe(0)
      expect(files.length).toBeGreaterThan(specifiers.length)
      expect(elsewhere(folder, files)).toEqual([])
    }
    const told = [esm, cjs].map(({ lines }) => fields(JSON.parse(lines.join('\n'))))
    for (const specifier of specifiers) {
      const [byImport, byRequire] = told.map((one) => fields(one.get(specifier)))
      expect(byImport?.get('at'), specifier).toMatch(new RegExp(`^file://${folder}/node_modules/.+\\.js$`))
      expect(byRequire?.get('names'), specifier).toEqual(byImport?.get('names'))
    }
  })

  test('an error of one copy of the SDK is known to the other', async () => {
    const { lines, errors } = await runInstalled(folder, ['node', 'copies.ts'])
    expect(lines, errors.join('\n')).toHaveLength(1)
    expect(JSON.parse(lines.join(''))).toEqual({
      areTwo: true,
      esmKnows: true,
      cjsKnows: true,
      baseKnows: true,
      otherKnows: false,
    })
  })

  test.each(inject('tarballs'))(
    'what is installed of $name is what its tarball holds',
    async ({ name, version, files }) => {
      const place = join(folder, 'node_modules', name)
      expect(JSON.parse(await readFile(join(place, 'package.json'), 'utf8'))).toMatchObject({ name, version })
      const found = await readdir(place, { recursive: true, withFileTypes: true })
      const paths = found.filter((one) => one.isFile()).map((one) => relative(place, join(one.parentPath, one.name)))
      expect(paths.toSorted()).toEqual(files)
    },
  )

  test('nothing that is installed runs a script', async () => {
    const lock = fields(JSON.parse(await readFile(join(folder, 'package-lock.json'), 'utf8')))
    const installed = [...fields(lock.get('packages'))]
    expect(installed.length).toBeGreaterThan(packages.length)
    expect(installed.filter(([, one]) => fields(one).get('hasInstallScript') === true)).toEqual([])
  })

  test('no package of ours is there twice', async () => {
    const lock = fields(JSON.parse(await readFile(join(folder, 'package-lock.json'), 'utf8')))
    const paths = [...fields(lock.get('packages')).keys()]
    const ours = paths.filter((path) => packages.some(({ name }) => path.endsWith(`node_modules/${name}`)))
    expect(ours.toSorted()).toEqual(packages.map(({ name }) => `node_modules/${name}`).toSorted())
  })

  const { Node16, NodeNext, Preserve } = ts.ModuleKind
  const resolutions = ts.ModuleResolutionKind

  test.each([
    ['node16, ESM', { module: Node16, moduleResolution: resolutions.Node16 }, 'all.mts', specifiers],
    [
      'node16, CommonJS',
      { module: Node16, moduleResolution: resolutions.Node16 },
      'some.cts',
      specifiersOf(packages.filter(({ hasCommonJs }) => hasCommonJs)),
    ],
    ['nodenext, ESM', { module: NodeNext, moduleResolution: resolutions.NodeNext }, 'all.mts', specifiers],
    ['nodenext, CommonJS', { module: NodeNext, moduleResolution: resolutions.NodeNext }, 'all.cts', specifiers],
    ['bundler', { module: Preserve, moduleResolution: resolutions.Bundler }, 'all.ts', specifiers],
  ])('a program that imports them compiles, declarations included: %s', async (_, options, name, imported) => {
    const lines = imported.map((specifier, at) => `export * as m${at} from '${specifier}'`)
    const samples = name.endsWith('.cts') ? [] : ['contracts.ts', 'worker.ts', 'client.ts', 'copies.ts']
    await writeFile(join(folder, name), lines.join('\n'))
    expect(compile(folder, [name, ...samples], options)).toEqual([])
  })

  test('the first workflow of README.md compiles, and does not with a signal of another type', async () => {
    const sample = readmeSample('http://127.0.0.1:7400')
    const wrong = sample.replace("run.signal(named, 'Ada')", 'run.signal(named, 42)')
    await writeFile(join(folder, 'right.ts'), sample)
    await writeFile(join(folder, 'wrong.ts'), wrong)
    const options = { module: NodeNext, moduleResolution: resolutions.NodeNext }
    expect(compile(folder, ['right.ts'], options)).toEqual([])
    expect(compile(folder, ['wrong.ts'], options)).toEqual([expect.stringContaining("'number' is not assignable")])
  })
})

/** What the compiler says of files of the folder, and of every declaration that they reach. */
function compile(folder: string, files: readonly string[], chosen: ts.CompilerOptions): string[] {
  const options: ts.CompilerOptions = {
    ...chosen,
    target: ts.ScriptTarget.ES2024,
    lib: ['lib.es2024.d.ts'],
    types: ['node'],
    typeRoots: [join(folder, 'node_modules/@types')],
    strict: true,
    skipLibCheck: false,
    noEmit: true,
    allowImportingTsExtensions: true,
  }
  const host = ts.createCompilerHost(options, true)
  host.getCurrentDirectory = () => folder
  const program = ts.createProgram(
    files.map((file) => join(folder, file)),
    options,
    host,
  )
  const read = program.getSourceFiles().filter((file) => !program.isSourceFileDefaultLibrary(file))
  const strangers = elsewhere(
    folder,
    read.map(({ fileName }) => fileName),
  )
  return [
    ...strangers.map((path) => `${path} is of another folder`),
    ...ts.getPreEmitDiagnostics(program).map(({ file, messageText }) => {
      const text = ts.flattenDiagnosticMessageText(messageText, '\n')
      return file === undefined ? text : `${file.fileName.slice(folder.length + 1)}: ${text}`
    }),
  ]
}
