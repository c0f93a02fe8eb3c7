// What a tarball may hold and say, one change at a time (P-20 to P-33, P-36).
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { RefusalCode } from '../../../src/refusal.ts'
import { bindRelease } from '../../../src/stages/manifest.ts'
import { type Counterfactual, endingOf } from '../../kit/counterfactual.ts'
import {
  manifestOf,
  type PackedSet,
  packedPackage,
  packedSet,
  parentCommit,
  withField,
  withFiles,
  withPackage,
  writeSet,
} from '../../kit/packed-set.ts'

type Change = (set: PackedSet) => PackedSet
type Row = readonly [shows: `P-${number}`, differs: string, code: RefusalCode | null, change: Change]

const without =
  (name: string): Change =>
  (set) => ({ ...set, packages: set.packages.filter((one) => one.name !== name) })

const besides =
  (...more: PackedSet['packages']): Change =>
  (set) => ({ ...set, packages: [...set.packages, ...more] })

const dependencies = (range: string, kind = 'dependencies') => withField('@x/sdk', { [kind]: { '@x/engine': range } })
const scripts = (name: string) => withField('@x/engine', { scripts: { [name]: 'date > stamp' } })
const changelog = (text: string) => withFiles('@x/sdk', { 'CHANGELOG.md': `# @x/sdk\n\n${text}` })
const saying = (path: string, text: string) => withFiles('@x/sdk', { [path]: `${text}\n` })
const root = {
  ...packedPackage('workshop'),
  manifest: { name: 'workshop', version: '1.2.3', private: true },
}

const rows: readonly Row[] = [
  ['P-20', 'a built file whose source was deleted', 'file_extra', withFiles('@x/sdk', { 'dist/old.js': '' })],
  ['P-20', 'a declaration that nothing names', 'file_extra', withFiles('@x/sdk', { 'dist/old.d.ts': '' })],
  ['P-20', 'a file outside of the allowed folders', 'file_extra', withFiles('@x/sdk', { 'lib/extra.js': '' })],
  ['P-20', 'a file that the policy allows by name', null, withFiles('@x/sdk', { NOTICE: '' })],
  ['P-21', 'no README', 'file_missing', withFiles('@x/sdk', { 'README.md': undefined })],
  ['P-21', 'an export whose file is not packed', 'file_missing', withFiles('@x/sdk', { 'dist/index.js': undefined })],
  ['P-21', 'a program whose file is not packed', 'file_missing', withFiles('@x/sdk', { 'dist/main.js': undefined })],
  [
    'P-21',
    'an export of a folder that is not packed',
    'file_missing',
    withFiles('@x/sdk', { 'dist/data/one.json': undefined }),
  ],
  ['P-21', 'types whose file is not packed', 'file_missing', withField('@x/sdk', { types: 'dist/types.d.ts' })],
  [
    'P-23',
    'the commit before this one as gitHead',
    'git_head_mismatch',
    withField('@x/spec', { gitHead: parentCommit }),
  ],
  ['P-24', 'no gitHead', 'git_head_missing', withField('@x/spec', { gitHead: undefined })],
  [
    'P-26',
    'another version inside, and in the name of the file',
    'version_mismatch',
    (set) =>
      withField('@x/spec', { version: '1.2.4' })(
        withPackage('@x/spec', (one) => ({ ...one, file: 'x-spec-1.2.4.tgz' }))(set),
      ),
  ],
  [
    'P-27',
    'the spec in a file that is called engine 9.9.9',
    'file_name_identity_mismatch',
    withPackage('@x/spec', (one) => ({ ...one, file: 'x-engine-9.9.9.tgz' })),
  ],
  ['P-28', 'workspace:* left in', 'workspace_range_unresolved', dependencies('workspace:*')],
  ['P-28', 'catalog: left in', 'workspace_range_unresolved', dependencies('catalog:', 'devDependencies')],
  ['P-28', 'a folder as range', 'workspace_range_unresolved', dependencies('file:../engine')],
  ['P-28', 'a path as range', 'workspace_range_unresolved', dependencies('../engine')],
  ['P-29', 'the engine at another version', 'internal_version_skew', dependencies('1.2.2')],
  [
    'P-29',
    'the engine at another version as a peer',
    'internal_version_skew',
    dependencies('1.2.4', 'peerDependencies'),
  ],
  ['P-30', 'a caret before the version', 'internal_range_not_exact', dependencies('^1.2.3')],
  ['P-30', 'a tag as range', 'internal_range_not_exact', dependencies('latest', 'optionalDependencies')],
  [
    'P-30',
    'two packages that need each other',
    'internal_dependency_cycle',
    withField('@x/spec', { dependencies: { '@x/sdk': '1.2.3' } }),
  ],
  ['P-31', 'a package without tarball', 'package_set_incomplete', without('@x/sdk')],
  ['P-31', 'a tarball of no package of the set', 'package_set_extra', besides(packedPackage('@x/extra'))],
  ['P-31', 'the private root packed as well', 'private_package', besides(root)],
  ...['prepack', 'prepare', 'prepublish', 'prepublishOnly', 'postpack', 'publish', 'postpublish'].map(
    (name): Row => ['P-32', `a script ${name}`, 'lifecycle_script_present', scripts(name)],
  ),
  ...['preinstall', 'install', 'postinstall'].map(
    (name): Row => ['P-32', `a script ${name}`, 'install_script_forbidden', scripts(name)],
  ),
  ['P-32', 'a script that nobody runs unasked', null, scripts('build')],
  ['P-32', 'gypfile', 'install_script_forbidden', withField('@x/sdk', { gypfile: true })],
  ['P-32', 'a binding.gyp', 'install_script_forbidden', withFiles('@x/sdk', { 'binding.gyp': '{}' })],
  [
    'P-33',
    'a registry to publish to',
    'publish_config_registry_forbidden',
    withField('@x/sdk', { publishConfig: { registry: 'elsewhere' } }),
  ],
  [
    'P-33',
    'a registry of a scope',
    'publish_config_registry_forbidden',
    withField('@x/sdk', { publishConfig: { '@x:registry': 'elsewhere' } }),
  ],
  ['P-33', 'publishConfig without registry', null, withField('@x/sdk', { publishConfig: { access: 'public' } })],
  [
    'P-36',
    'a file URL in code',
    'absolute_path_leak',
    saying('dist/index.js', 'import "./chunk-1.js"; // file:///build/run.ts'),
  ],
  [
    'P-36',
    'a home folder in a map',
    'absolute_path_leak',
    saying('dist/chunk-1.js.map', '{"sources":["/home/builder/x/run.ts"]}'),
  ],
  [
    'P-36',
    'the folder of the clone in a README',
    'absolute_path_leak',
    saying('README.md', '/var/tmp/rel-clone-aB3dE6/clone'),
  ],
  ['P-36', 'an address with a path like a home folder', null, saying('README.md', 'https://example.org/home/page/')],
  [
    'P-21',
    'no entry for this version in the changelog',
    'changelog_entry_missing',
    changelog('## 1.2.2\n\n- It began.\n'),
  ],
  [
    'P-21',
    'an entry without visible text',
    'changelog_entry_missing',
    changelog('## 1.2.3\n\n### Patch Changes\n\n<!-- later -->\n- \n'),
  ],
  [
    'P-21',
    'two entries for this version',
    'changelog_entry_ambiguous',
    changelog('## 1.2.3\n\n- One.\n\n## 1.2.3\n\n- Two.\n'),
  ],
  [
    'P-26',
    'a package.json that is no JSON',
    'record_schema_invalid',
    withPackage('@x/sdk', (one) => ({ ...one, manifest: '{' })),
  ],
  ['P-26', 'a package.json without name', 'record_schema_invalid', withField('@x/sdk', { name: 7 })],
  ['P-21', 'no package.json', 'file_missing', withPackage('@x/sdk', (one) => ({ ...one, manifest: null }))],
]

const setCases = rows.map(
  ([shows, differs, code, change]): Counterfactual => ({
    shows: [shows],
    differs,
    layer: 'U',
    code,
    run: (folder, which) => endingOf(() => manifestOf(folder, which === 'changed' ? change(packedSet) : packedSet)),
  }),
)

const boundTwice: Counterfactual = {
  shows: ['P-05'],
  differs: 'a manifest that is there already',
  layer: 'U',
  code: 'stage_already_final',
  run: (folder, which) =>
    endingOf(async () => {
      if (which === 'changed') await manifestOf(folder, packedSet)
      await manifestOf(folder, packedSet)
    }),
}

const withoutTarballs: Counterfactual = {
  shows: ['P-31'],
  differs: 'no folder of tarballs',
  layer: 'U',
  code: 'record_missing',
  run(folder, which) {
    writeSet(folder, packedSet)
    if (which === 'changed') rmSync(join(folder, 'tarballs'), { recursive: true })
    return endingOf(() => bindRelease(folder, { version: '0.1.0', sha256: '0'.repeat(64) }))
  },
}

/** One change of a packed set, or of its folder, each. */
export const packedCases: readonly Counterfactual[] = [...setCases, boundTwice, withoutTarballs]
