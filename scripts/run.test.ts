import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'

let root = ''
const scripts = { 'start:here': 'node program.mjs', 'test:here': 'node program.mjs --all' }

/** Stands in for npx: notes what it is asked, and installs a node that notes its arguments and becomes the program. */
const npx = `#!/bin/sh
echo "npx $*" >> asked
[ -e install-fails ] && exit 7
mkdir -p node_modules/.bin
cat > node_modules/.bin/node <<'END'
#!/bin/sh
echo "node $*" >> asked
exec ${process.execPath} program.mjs
END
chmod +x node_modules/.bin/node
`

/** Says that it runs, and needs a moment to close after a signal; says how many signals came. */
const program = `import { appendFileSync, existsSync } from 'node:fs'
let signals = 0
const alive = setInterval(() => {}, 1000)
process.on('SIGINT', () => {
  signals += 1
  if (signals === 1) setTimeout(() => { appendFileSync('said', 'closed after ' + signals + '\\n'); clearInterval(alive) }, 200)
})
appendFileSync('said', 'running\\n')
console.log('running')
if (existsSync('ends')) process.exit(3)
`

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'run-'))
  for (const folder of ['scripts', 'bin', 'node_modules']) mkdirSync(join(root, folder))
  copyFileSync(join(import.meta.dirname, 'run.mjs'), join(root, 'scripts/run.mjs'))
  writeFileSync(join(root, 'package.json'), JSON.stringify({ packageManager: 'pnpm@1.2.3', scripts }))
  writeFileSync(join(root, 'pnpm-lock.yaml'), 'one')
  writeFileSync(join(root, 'pnpm-workspace.yaml'), '')
  writeFileSync(join(root, 'program.mjs'), program)
  writeFileSync(join(root, 'bin/npx'), npx)
  chmodSync(join(root, 'bin/npx'), 0o755)
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

function start(...args: string[]): ChildProcess {
  return spawn(process.execPath, ['scripts/run.mjs', ...args], {
    cwd: root,
    env: { ...process.env, PATH: `${join(root, 'bin')}:${process.env.PATH}` },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

async function ended(child: ChildProcess): Promise<number> {
  const [code] = await once(child, 'close')
  return Number(code)
}

const read = (name: string): string[] => readFileSync(join(root, name), 'utf8').trim().split('\n')

test('installs from the lockfile, once, and again when the lockfile changes', async () => {
  writeFileSync(join(root, 'ends'), '')
  const install = 'npx -y pnpm@1.2.3 install --frozen-lockfile --reporter=append-only'
  const begin = 'node program.mjs --all --only two words'
  for (const lock of ['one', 'one', 'two']) {
    writeFileSync(join(root, 'pnpm-lock.yaml'), lock)
    expect(await ended(start('test', '--only', 'two words'))).toBe(3)
  }
  expect(read('asked')).toEqual([install, begin, begin, install, begin])
})

test('an install that fails says so and starts nothing', async () => {
  writeFileSync(join(root, 'install-fails'), '')
  expect(await ended(start('start'))).toBe(7)
  expect(existsSync(join(root, 'said'))).toBe(false)
})

test('a signal reaches the program once, and the door waits until it has closed', async () => {
  const child = start('start')
  if (child.stdout === null) throw new Error('no standard output')
  await once(child.stdout, 'data')
  child.kill('SIGINT')
  expect(await ended(child)).toBe(0)
  expect(read('said')).toEqual(['running', 'closed after 1'])
})

test('an unknown command is refused before anything is installed', async () => {
  expect(await ended(start('begin'))).toBe(2)
  expect(existsSync(join(root, 'asked'))).toBe(false)
})
