// A consumer as there are many: an app, and a second app below it with a lockfile of its own.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Rehearsal, StepFailed, tail } from './rehearsal.ts'

const nested = 'apps/nested'

/** Installs the published packages from the registry, exact versions, in both apps; npm writes both lockfiles. */
export async function installConsumer(
  rehearsal: Rehearsal,
  version: string,
  packages: readonly string[],
): Promise<void> {
  const { consumer } = rehearsal.places
  rmSync(consumer, { recursive: true, force: true })
  for (const folder of [consumer, join(consumer, nested)]) {
    mkdirSync(folder, { recursive: true })
    const dependencies = Object.fromEntries(packages.map((name) => [name, version]))
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'consumer', private: true, dependencies }))
    const scopes = new Set(packages.flatMap((name) => /^@[^/]+/.exec(name)?.[0] ?? []))
    const lines = [...scopes].map((scope) => `${scope}:registry=${rehearsal.registry.url}`)
    writeFileSync(join(folder, '.npmrc'), `${lines.join('\n')}\n`)
    const args = ['install', '--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund', '--no-update-notifier']
    const ended = await rehearsal.run('npm', args, folder)
    if (ended.exitCode !== 0) throw new StepFailed(`npm could not install the published packages: ${tail(ended)}`)
  }
}

/** Changes one character of one integrity of a package in the nested lockfile; answers with what gives the old one back. */
export function changeNestedEntry(consumer: string, name: string): () => void {
  const file = join(consumer, nested, 'package-lock.json')
  const before = readFileSync(file, 'utf8')
  const entry = before.indexOf(`"node_modules/${name}": {`)
  const digest = before.indexOf('"integrity": "sha512-', entry) + '"integrity": "sha512-'.length
  if (entry < 0 || digest <= entry) throw new StepFailed(`${file} has no integrity of ${name}`)
  const other = before[digest] === 'A' ? 'B' : 'A'
  writeFileSync(file, before.slice(0, digest) + other + before.slice(digest + 1))
  return () => writeFileSync(file, before)
}
