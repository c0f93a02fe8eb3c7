// The closed list: what is deterministic inside workflow code, and what throws there. docs/determinism.md shows the same, by a test.
//
// Read beside it what is left alone, because it is the same in every replay or because wrapping it would break what is not
// workflow code: Promise, queueMicrotask, console, structuredClone, timers that are cleared or unref'd, process.env, process.cwd.

/** What to do instead. */
export const remedies = {
  timer: 'Use ctx.sleep, or the timeout of ctx.waitFor and ctx.condition.',
  clock: 'Use ctx.now().',
  chance: 'Use ctx.random() or ctx.uuid().',
  world: 'Do it in an activity and await ctx.run(activity, input).',
  machine: 'Read it in an activity, or once with ctx.sideEffect(name, fn).',
  thread: 'Use the synchronous form, or do it in an activity and await ctx.run(activity, input).',
  memory: 'Keep the value itself; when memory is freed differs from replay to replay.',
} as const

/** Functions of one object that throw. */
export interface Refused {
  /** What stands before the key where an author writes it; `''` for globals. */
  readonly name: string
  /** The object that every importer shares; undefined where this runtime has none. */
  readonly owner: () => unknown
  readonly keys: readonly string[]
  readonly remedy: keyof typeof remedies
}

/** One thing that has another, deterministic value. */
export interface Answered {
  readonly name: string
  readonly value: string
}

export const answered: readonly Answered[] = [
  { name: 'new Date()', value: '`ctx.now()`; a Date of a stated instant is that instant' },
  { name: 'Date()', value: '`ctx.now()`, as text' },
  { name: 'Date.now()', value: '`ctx.now()`' },
  { name: 'performance.now()', value: '`ctx.now()`' },
  { name: 'performance.timeOrigin', value: '0, so that the sum with `performance.now()` is an instant' },
  { name: 'Intl.DateTimeFormat().format()', value: '`ctx.now()` where no date is given; `formatToParts` likewise' },
  { name: 'Math.random()', value: '`ctx.random()`' },
  { name: 'crypto.randomUUID()', value: '`ctx.uuid()`, also from `node:crypto`' },
  { name: 'process.nextTick(fn)', value: 'a microtask, like `queueMicrotask(fn)`' },
]

const module = (id: string) => (): unknown => process.getBuiltinModule(`node:${id}`)
const member =
  (owner: () => unknown, ...path: readonly string[]) =>
  (): unknown =>
    path.reduce((found: unknown, key) => (isObject(found) ? Reflect.get(found, key) : undefined), owner())
const own = (name: string) => (): unknown => Reflect.get(globalThis, name)

function isObject(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function'
}

// Opening is what is refused, not reading from what is open: console writes to files and pipes through these modules.
const files = [
  'access',
  'appendFile',
  'chmod',
  'chown',
  'copyFile',
  'cp',
  'glob',
  'lchown',
  'link',
  'lstat',
  'lutimes',
  'mkdir',
  'mkdtemp',
  'open',
  'opendir',
  'readFile',
  'readdir',
  'readlink',
  'realpath',
  'rename',
  'rm',
  'rmdir',
  'stat',
  'statfs',
  'symlink',
  'truncate',
  'unlink',
  'utimes',
  'writeFile',
] as const
const names = [
  'lookup',
  'lookupService',
  'resolve',
  'resolve4',
  'resolve6',
  'resolveAny',
  'resolveCaa',
  'resolveCname',
  'resolveMx',
  'resolveNaptr',
  'resolveNs',
  'resolvePtr',
  'resolveSoa',
  'resolveSrv',
  'resolveTlsa',
  'resolveTxt',
  'reverse',
] as const
const timers = ['setTimeout', 'setInterval', 'setImmediate'] as const
const compressions = [
  'brotliCompress',
  'brotliDecompress',
  'deflate',
  'deflateRaw',
  'gunzip',
  'gzip',
  'inflate',
  'inflateRaw',
  'unzip',
  'zstdCompress',
  'zstdDecompress',
] as const

export const refused: readonly Refused[] = [
  { name: '', owner: () => globalThis, keys: timers, remedy: 'timer' },
  { name: 'timers.', owner: module('timers'), keys: timers, remedy: 'timer' },
  { name: 'timers/promises.', owner: module('timers/promises'), keys: timers, remedy: 'timer' },
  {
    name: 'timers/promises.scheduler.',
    owner: member(() => Object.getPrototypeOf(member(module('timers/promises'), 'scheduler')() ?? {})),
    keys: ['wait', 'yield'],
    remedy: 'timer',
  },
  { name: 'AbortSignal.', owner: own('AbortSignal'), keys: ['timeout'], remedy: 'timer' },
  { name: 'Atomics.', owner: own('Atomics'), keys: ['wait', 'waitAsync'], remedy: 'timer' },
  { name: 'process.hrtime.', owner: () => process.hrtime, keys: ['bigint'], remedy: 'clock' },
  { name: 'process.', owner: () => process, keys: ['hrtime', 'uptime'], remedy: 'clock' },
  {
    name: 'performance.',
    owner: () => Object.getPrototypeOf(globalThis.performance),
    keys: ['mark', 'measure', 'toJSON', 'eventLoopUtilization'],
    remedy: 'clock',
  },
  {
    name: 'Temporal.Now.',
    owner: member(own('Temporal'), 'Now'),
    keys: ['instant', 'plainDateISO', 'plainDateTimeISO', 'plainTimeISO', 'timeZoneId', 'zonedDateTimeISO'],
    remedy: 'clock',
  },
  {
    name: 'crypto.',
    owner: () => Object.getPrototypeOf(globalThis.crypto),
    keys: ['getRandomValues'],
    remedy: 'chance',
  },
  {
    name: 'crypto.',
    owner: module('crypto'),
    keys: [
      'generateKey',
      'generateKeyPair',
      'generateKeyPairSync',
      'generateKeySync',
      'generatePrime',
      'generatePrimeSync',
      'randomBytes',
      'randomFill',
      'randomFillSync',
      'randomInt',
      'randomUUIDv7',
    ],
    remedy: 'chance',
  },
  {
    name: 'crypto.subtle.',
    owner: () => Object.getPrototypeOf(globalThis.crypto.subtle),
    keys: [
      'decrypt',
      'deriveBits',
      'deriveKey',
      'digest',
      'encrypt',
      'exportKey',
      'generateKey',
      'importKey',
      'sign',
      'unwrapKey',
      'verify',
      'wrapKey',
    ],
    remedy: 'thread',
  },
  {
    name: 'crypto.',
    owner: module('crypto'),
    keys: ['argon2', 'checkPrime', 'hkdf', 'pbkdf2', 'scrypt'],
    remedy: 'thread',
  },
  { name: 'zlib.', owner: module('zlib'), keys: compressions, remedy: 'thread' },
  { name: '', owner: () => globalThis, keys: ['CompressionStream', 'DecompressionStream'], remedy: 'thread' },
  {
    name: 'WebAssembly.',
    owner: own('WebAssembly'),
    keys: ['compile', 'compileStreaming', 'instantiate', 'instantiateStreaming'],
    remedy: 'thread',
  },
  { name: '', owner: () => globalThis, keys: ['FinalizationRegistry', 'WeakRef'], remedy: 'memory' },
  { name: '', owner: () => globalThis, keys: ['fetch', 'WebSocket', 'EventSource'], remedy: 'world' },
  { name: '', owner: () => globalThis, keys: ['BroadcastChannel', 'MessageChannel'], remedy: 'world' },
  {
    name: 'process.',
    owner: () => process,
    keys: ['abort', 'chdir', 'dlopen', 'execve', 'exit', 'kill', 'loadEnvFile', 'umask'],
    remedy: 'world',
  },
  {
    name: 'process.',
    owner: () => process,
    keys: [
      'availableMemory',
      'constrainedMemory',
      'cpuUsage',
      'getActiveResourcesInfo',
      'memoryUsage',
      'resourceUsage',
      'threadCpuUsage',
    ],
    remedy: 'machine',
  },
  {
    name: 'os.',
    owner: module('os'),
    keys: [
      'arch',
      'availableParallelism',
      'cpus',
      'endianness',
      'freemem',
      'getPriority',
      'homedir',
      'hostname',
      'loadavg',
      'machine',
      'networkInterfaces',
      'platform',
      'release',
      'setPriority',
      'tmpdir',
      'totalmem',
      'type',
      'uptime',
      'userInfo',
      'version',
    ],
    remedy: 'machine',
  },
  {
    name: 'v8.',
    owner: module('v8'),
    keys: ['getHeapSnapshot', 'getHeapSpaceStatistics', 'getHeapStatistics', 'writeHeapSnapshot'],
    remedy: 'machine',
  },
  {
    name: 'fs.',
    owner: module('fs'),
    keys: [
      ...files,
      ...files.map((name) => `${name}Sync`),
      'createReadStream',
      'createWriteStream',
      'exists',
      'existsSync',
      'mkdtempDisposableSync',
      'openAsBlob',
      'watch',
      'watchFile',
    ],
    remedy: 'world',
  },
  {
    name: 'fs/promises.',
    owner: module('fs/promises'),
    keys: [...files, 'lchmod', 'mkdtempDisposable', 'watch'],
    remedy: 'world',
  },
  {
    name: 'child_process.',
    owner: module('child_process'),
    keys: ['exec', 'execFile', 'execFileSync', 'execSync', 'fork', 'spawn', 'spawnSync'],
    remedy: 'world',
  },
  { name: 'net.', owner: module('net'), keys: ['connect', 'createConnection', 'createServer'], remedy: 'world' },
  {
    name: 'net.Socket.prototype.',
    owner: member(module('net'), 'Socket', 'prototype'),
    keys: ['connect'],
    remedy: 'world',
  },
  {
    name: 'net.Server.prototype.',
    owner: member(module('net'), 'Server', 'prototype'),
    keys: ['listen'],
    remedy: 'world',
  },
  { name: 'tls.', owner: module('tls'), keys: ['connect', 'createServer'], remedy: 'world' },
  { name: 'dgram.', owner: module('dgram'), keys: ['createSocket'], remedy: 'world' },
  { name: 'dns.', owner: module('dns'), keys: names, remedy: 'world' },
  { name: 'dns/promises.', owner: module('dns/promises'), keys: names, remedy: 'world' },
  { name: 'http.', owner: module('http'), keys: ['createServer', 'get', 'request'], remedy: 'world' },
  { name: 'https.', owner: module('https'), keys: ['createServer', 'get', 'request'], remedy: 'world' },
  { name: 'http2.', owner: module('http2'), keys: ['connect', 'createSecureServer', 'createServer'], remedy: 'world' },
  {
    name: 'worker_threads.',
    owner: module('worker_threads'),
    keys: ['BroadcastChannel', 'MessageChannel', 'Worker', 'postMessageToThread', 'receiveMessageOnPort'],
    remedy: 'world',
  },
  { name: 'cluster.', owner: module('cluster'), keys: ['fork'], remedy: 'world' },
  // Another context has a clock and a chance of its own.
  {
    name: 'vm.',
    owner: module('vm'),
    keys: ['createContext', 'measureMemory', 'runInContext', 'runInNewContext'],
    remedy: 'world',
  },
]
