// The walls: which room may import which, types included, and which third-party package may stand in which room.
//
// What is not listed is forbidden. Every rule has a fixture in tests/walls that breaks it; the comment of a rule is
// printed with its violation.

const tests = '\\.test(-d)?\\.ts$'
const packageSource = '^(packages|apps)/[^/]+/src/'
const insideAPackage = '^@durable-workflow/[^/]+/(src|dist|test|scripts)/'
const sqlDrivers = 'node_modules/(kysely|pg|mysql2|better-sqlite3)/'
const product = '^packages/(protocol|codec|engine|store-sql|server|sdk|testing|conformance)/'

const face = (name, entry = 'index') => `^packages/${name}/src/${entry}\\.ts$`
const protocol = face('protocol')
const codec = face('codec')

/** What a package's `exports` open to others. */
const faces = [
  '^packages/[^/]+/src/index\\.ts$',
  '^packages/protocol/src/(validators|client|stub)\\.ts$',
  '^packages/engine/src/ports\\.ts$',
  '^packages/sdk/src/(worker|client|replay)\\.ts$',
  '^apps/server/src/serve\\.ts$',
]

/** What the tests of a package lend to others: the registry that the rehearsal publishes to. */
const kits = ['^packages/release/test/kit/(verdaccio|stand-in-[a-z]+)\\.ts$']

/** Where a program or a test begins: nobody imports these, and what none of them reaches is dead. */
const entries = [
  ...faces,
  '^(apps/[^/]+|packages/release)/src/main\\.ts$',
  '^packages/[^/]+/(test|scripts)/',
  '^(tests|bench|examples|scripts)/',
]

/**
 * The table of rooms.
 *
 * `self` is the room, `to` what it may import from the workspace, `packages` its third-party packages with the reason
 * for each, `node` whether it may use Node's own modules, `named` what a rule of its own below already forbids.
 */
const rooms = [
  {
    name: 'protocol',
    self: ['^packages/protocol/src/'],
    to: [],
    packages: {
      zod: 'generated validators of every body',
      fastify: 'types of the generated stub; nothing of it runs here',
    },
    node: false,
  },
  { name: 'codec', self: ['^packages/codec/src/'], to: [protocol], packages: {}, node: false },
  {
    name: 'engine-core',
    self: ['^packages/engine/src/core/'],
    to: [protocol, codec],
    packages: {},
    node: true, // forbidden by core-touches-nothing, with its own reason
    named: ['^packages/engine/src/[^/]+\\.ts$'],
    packagesNamed: true,
  },
  {
    name: 'engine-shell',
    self: ['^packages/engine/src/[^/]+\\.ts$'],
    to: ['^packages/engine/src/core/'],
    packages: {},
    node: false,
  },
  {
    name: 'store-sql',
    self: ['^packages/store-sql/src/'],
    to: [face('engine', 'ports')],
    packages: {
      kysely: 'builds SQL for every dialect, typed by schema.ts',
      pg: 'speaks PostgreSQL, several statements under way at once; nothing of it leaves dialects/',
    },
    packagesNamed: ['fastify'],
    node: true, // node:sqlite is a driver; files and URLs open databases; hashes of lock keys
    named: ['^packages/server/', '^packages/protocol/src/(stub|generated/)'],
  },
  {
    name: 'server',
    self: ['^packages/server/src/'],
    to: [face('engine'), '^packages/protocol/src/', codec],
    packages: {
      fastify: 'HTTP: routing, hooks, parsing',
      'light-my-request': 'requests of the same process, without a socket; what Fastify itself injects with',
      'prom-client': 'counts, histograms and their text for Prometheus',
    },
    packagesNamed: ['kysely', 'pg', 'mysql2', 'better-sqlite3'],
    node: true,
    named: ['^packages/store-sql/'],
  },
  {
    name: 'sdk-face',
    self: ['^packages/sdk/src/[^/]+\\.ts$'],
    to: ['^packages/sdk/src/(authoring|client|worker|verify|transport)/'],
    packages: {},
    node: false,
  },
  {
    name: 'sdk-authoring',
    self: ['^packages/sdk/src/authoring/'],
    to: [protocol, codec],
    packages: {
      '@standard-schema/spec': 'the types by which any schema library states a contract',
      ms: "durations as people write them: '30 minutes'",
    },
    node: false,
  },
  {
    name: 'sdk-replay',
    self: ['^packages/sdk/src/replay/'],
    to: ['^packages/sdk/src/authoring/', protocol, codec],
    packages: {},
    node: true, // forbidden by replay-touches-nothing, with its own reason
    named: ['^packages/sdk/src/(transport|worker|client)/'],
  },
  {
    name: 'sdk-guard',
    self: ['^packages/sdk/src/guard/'],
    to: ['^packages/sdk/src/authoring/(failure|place)\\.ts$'], // place: where in the source a refused call stands
    packages: {},
    node: true, // node:async_hooks tells authored code from the rest of the process
  },
  {
    name: 'sdk-transport',
    self: ['^packages/sdk/src/transport/'],
    to: ['^packages/protocol/src/(index|client)\\.ts$', '^packages/sdk/src/authoring/failure\\.ts$'],
    packages: { undici: 'pooled HTTP: eight times the throughput of the global fetch' },
    node: true,
  },
  {
    name: 'sdk-client',
    self: ['^packages/sdk/src/client/'],
    to: ['^packages/sdk/src/(authoring|transport)/', '^packages/protocol/src/(index|client)\\.ts$', codec],
    packages: {},
    node: true,
  },
  {
    name: 'sdk-worker',
    self: ['^packages/sdk/src/worker/'],
    to: ['^packages/sdk/src/(authoring|replay|guard|transport)/', '^packages/protocol/src/(index|client)\\.ts$', codec],
    packages: {},
    node: true,
  },
  {
    name: 'sdk-verify',
    self: ['^packages/sdk/src/verify/'],
    to: ['^packages/sdk/src/(authoring|replay|guard)/', protocol, codec],
    packages: {},
    node: false,
  },
  {
    name: 'testing',
    self: ['^packages/testing/src/'],
    to: [
      face('engine', '(index|ports)'),
      face('store-sql'),
      face('server'),
      face('sdk', '(index|worker|client|replay)'),
    ],
    packages: {},
    node: true,
  },
  {
    name: 'conformance',
    self: ['^packages/conformance/src/'],
    to: ['^packages/protocol/src/', codec],
    packages: {},
    node: true,
    named: ['^packages/(engine|sdk|server|store-sql)/'],
  },
  {
    name: 'release',
    self: ['^packages/release/src/'],
    to: [],
    packages: { yaml: 'reads the lockfiles of pnpm and Yarn; bundled, so that nothing has to be installed with it' },
    node: true,
    named: [product],
  },
  {
    name: 'app-server',
    self: ['^apps/server/src/'],
    to: [face('server'), face('store-sql'), face('engine', '(index|ports)'), face('protocol', '(index|validators)')],
    packages: { zod: 'settings are checked one by one, each with a sentence' },
    node: true,
  },
  {
    name: 'tests',
    self: ['^tests/'],
    to: [...faces, ...kits, '^scripts/', '^examples/'],
    packages: {
      vitest: 'the test runner',
      'fast-check': 'properties over generated inputs',
      undici: 'raw HTTP beside the SDK',
      zod: 'contracts of the sample workflows',
      typescript: 'tidy reads the sources as syntax trees',
      'dependency-cruiser': 'walls runs the cruiser over its fixtures',
      pg: 'makes and removes the databases of PostgreSQL tests, and looks into them',
    },
    node: true,
  },
  {
    name: 'bench',
    self: ['^bench/'],
    to: [...faces, '^tests/support/'], // starting and stopping processes is written once
    packages: {
      vitest: 'the test runner',
      fastify: 'the floor: an empty server',
      undici: 'the floor: a bare client',
      pg: 'the floor: bare commits; finds the processes of the cluster',
      vega: 'draws what vega-lite compiles, as SVG and without a browser',
      'vega-lite': 'the cost curves as a document: panels, axes and legends are stated, not drawn',
    },
    node: true,
  },
  {
    name: 'examples',
    self: ['^examples/'],
    to: faces,
    packages: { zod: 'contracts of the sample workflows', vitest: 'every example is tested' },
    node: true,
  },
  {
    name: 'scripts',
    self: ['^scripts/'],
    to: [...kits, face('release')], // the rehearsal reads evidence and policies
    packages: {
      typescript: 'emits declarations, and reads the specifiers in them',
      tsup: 'bundles what is published, as ESM and CJS with shared chunks',
      rollup: 'carries rollup-plugin-dts',
      'rollup-plugin-dts': 'rolls up the declarations of an entry: the golden files of the surface',
      '@changesets/parse': 'reads a changeset as the release will',
      vitest: 'the test runner',
    },
    node: true,
  },
]

/** Tests and generators of a package: they may open any face and everything in their own package. */
const packageTools = {
  path: ['^(packages|apps)/[^/]+/(test|scripts)/', `${packageSource}.*${tests}`],
  packages: {
    vitest: 'the test runner',
    'fast-check': 'properties over generated inputs',
    zod: 'contracts and validators under test',
    fastify: 'a stub server beside the client under test',
    undici: 'raw HTTP beside the code under test',
    kysely: 'reads the tables that a test has written',
    typescript: 'reads and prints generated code',
    yaml: 'reads spec/',
    '@redocly/openapi-core': 'lints the OpenAPI documents',
    ajv: 'an independent judge of generated validators',
    'ajv-formats': 'an independent judge of generated validators',
    '@hey-api/openapi-ts': 'generates types, validators and stub from spec/',
  },
}

/** One rule in several sentences keeps one name: the table speaks of the rule, not of its regular expressions. */
const rule = (name, comment, ...sentences) =>
  sentences.map((sentence) => ({ name, comment, severity: 'error', ...sentence }))

const installed = (names) => `node_modules/(${names.join('|')})/`

/** Where the arrows of a room are looked for; inside another package than its own, faces-only speaks first. */
function reachOf(room) {
  const own = room.self.map((path) => path.match(/^\^(packages|apps)\/[^/]+\//)?.[0]).filter(Boolean)
  return [...faces, '^(tests|bench|examples|scripts)/', ...own]
}

function arrowsOf(room) {
  const inPackage = /^\^(packages|apps)/.test(room.self[0])
  const from = { path: room.self, ...(inPackage && { pathNot: [tests] }) }
  const comment = `house §4: ${room.name} may import only what its line in the table of rooms lists`
  const mayUse = [...Object.keys(room.packages), ...(Array.isArray(room.packagesNamed) ? room.packagesNamed : [])]
  const sentences = [{ from, to: { path: reachOf(room), pathNot: [...room.self, ...room.to, ...(room.named ?? [])] } }]
  if (room.packagesNamed !== true) {
    sentences.push({ from, to: { path: 'node_modules/', ...(mayUse.length > 0 && { pathNot: [installed(mayUse)] }) } })
  }
  if (!room.node) sentences.push({ from, to: { dependencyTypes: ['core'] } })
  return rule(`arrows-${room.name}`, comment, ...sentences)
}

/** A floor of core may import itself and the floors below; listed from the top. */
const floors = {
  operations: ['commands', 'rules', 'history', 'decision', 'state'],
  views: ['rules', 'history', 'decision', 'state'],
  commands: ['rules', 'history', 'decision', 'state'],
  rules: ['history', 'decision', 'state'],
  history: ['decision', 'state'],
  decision: ['state'],
  state: [],
}
const core = '^packages/engine/src/core/'

export default {
  forbidden: [
    ...rule('no-circle', 'house §4: a circle has no first file to read', { from: {}, to: { circular: true } }),
    ...rule(
      'core-touches-nothing',
      'house §4: decisions must replay from a seed; core knows no Node module, no npm package, no shell',
      { from: { path: core, pathNot: tests }, to: { dependencyTypes: ['core'] } },
      { from: { path: core, pathNot: tests }, to: { path: ['node_modules/', '^packages/engine/src/[^/]+\\.ts$'] } },
    ),
    ...rule(
      'core-floors',
      'house §4: operations → commands → rules → history → decision → state, and views → rules …; what two operations share is a rule',
      ...Object.entries(floors).map(([floor, below]) => ({
        from: { path: `${core}${floor}/`, pathNot: tests },
        to: { path: core, pathNot: `${core}(${[floor, ...below].join('|')})/` },
      })),
      {
        from: { path: `${core}operations/`, pathNot: [tests, `${core}operations/index\\.ts$`] },
        to: { path: `${core}operations/` },
      },
    ),
    ...rule(
      'replay-touches-nothing',
      'house §4: replay must be a function of history; no Node module, no transport, worker or client',
      { from: { path: '^packages/sdk/src/replay/', pathNot: tests }, to: { dependencyTypes: ['core'] } },
      {
        from: { path: '^packages/sdk/src/replay/', pathNot: tests },
        to: { path: '^packages/sdk/src/(transport|worker|client)/' },
      },
    ),
    ...rule('one-door', 'house §4: only execute writes; nobody but the engine names an operation file', {
      from: { pathNot: '^packages/engine/' },
      to: { path: `${core}operations/` },
    }),
    ...rule('server-knows-no-sql', 'house §4: the store is handed in', {
      from: { path: '^packages/server/src/', pathNot: tests },
      to: { path: ['^packages/store-sql/', sqlDrivers] },
    }),
    ...rule('store-knows-no-http', 'house §4: the store answers the engine, never a request', {
      from: { path: '^packages/store-sql/src/', pathNot: tests },
      to: { path: ['^packages/server/', 'node_modules/fastify/', '^packages/protocol/src/(stub|generated/stub)'] },
    }),
    ...rule(
      'dialect-secret',
      'house §4: differences between databases are data in dialect.ts; only open.ts picks one',
      {
        from: { path: '^packages/store-sql/src/', pathNot: [tests, '^packages/store-sql/src/open\\.ts$'] },
        to: { path: '^packages/store-sql/src/dialects/(sqlite|postgres|mysql)\\.ts$' },
      },
    ),
    ...rule('production-knows-no-testing', 'house §4: what ships never imports what tests it', {
      from: { path: packageSource, pathNot: [tests, '^packages/(testing|conformance)/'] },
      to: { path: ['^packages/(testing|conformance)/', '^tests/', '^packages/[^/]+/test/', tests] },
    }),
    ...rule('judge-apart', 'house §4: a judge that shares code with the accused is no judge', {
      from: { path: '^packages/conformance/' },
      to: { path: '^packages/(engine|sdk|server|store-sql)/' },
    }),
    ...rule(
      'release-apart',
      'house §4: the verifier shares no code with what it verifies',
      { from: { path: '^packages/release/' }, to: { path: product } },
      { from: { path: product }, to: { path: '^packages/release/' } },
    ),
    ...rule(
      'faces-only',
      'house §4: doors, not windows: across packages only what `exports` opens',
      {
        from: { path: '^(packages|apps)/([^/]+)/' },
        to: {
          path: '^(packages|apps)/[^/]+/',
          pathNot: [
            ...faces,
            '^$1/$2/',
            `${core}operations/`,
            '^packages/protocol/src/generated/',
            '^packages/[^/]+/test/',
            tests,
          ],
        },
      },
      {
        from: { path: '^(tests|bench|examples|scripts)/' },
        to: {
          path: '^(packages|apps)/[^/]+/',
          pathNot: [...faces, ...kits, `${core}operations/`, '^packages/protocol/src/generated/'],
        },
      },
      { from: {}, to: { couldNotResolve: true, path: insideAPackage } },
    ),
    ...rule('generated-behind-face', 'house §4: generated code is named by the faces of protocol alone', {
      from: { pathNot: '^packages/protocol/' },
      to: { path: '^packages/protocol/src/generated/' },
    }),
    ...rule('no-orphan', 'house §4: dead rooms: no entry reaches this file', {
      from: { path: entries },
      to: { path: packageSource, pathNot: [tests, '/generated/', ...entries], reachable: false },
    }),
    ...rule('wire-types-are-light', 'house §4: the face of protocol is types and constants; it loads nothing', {
      from: { path: protocol },
      to: { path: 'node_modules/', reachable: true },
    }),
    ...rule('resolvable', 'an import that does not resolve is a typing error or an undeclared dependency', {
      from: {},
      to: { couldNotResolve: true, pathNot: insideAPackage },
    }),
    ...rooms.flatMap(arrowsOf),
    ...rule(
      'arrows-package-tools',
      'house §4: tests and generators use only the packages that the table lists for them',
      {
        from: { path: packageTools.path },
        to: { path: 'node_modules/', pathNot: [installed(Object.keys(packageTools.packages))] },
      },
    ),
  ],
  options: {
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: ['/dist/', '^(packages|apps)/[^/]+/api/', '^tests/foreign/(python|rust)/'] },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['source', 'import', 'node', 'default', 'types'],
      extensions: ['.ts', '.mts', '.js', '.mjs', '.cjs', '.json', '.d.ts', '.d.mts', '.d.cts'],
    },
  },
}
