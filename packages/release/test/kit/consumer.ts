// Consumers of a release, with lockfiles that real package managers wrote.
//
// `test/lockfiles/` holds them as they were written, on 2026-11-30, from a registry on 127.0.0.1 that had `@x/spec`,
// `@x/engine` and `@x/sdk` 0.1.0 and 0.2.0, `helper` (needs `@x/spec` ^0.2.0) and `straggler` (needs `@x/spec` 0.1.0):
// npm 11.19.1 (versions 3 and 2), pnpm 12.4.2 (9), pnpm 8.15.9 (6), Yarn 1.22.22, Yarn 4.18.1.
//
//   good      @x/engine, @x/sdk, durable (an alias of @x/sdk), helper
//   second    the same and straggler, which brings @x/spec 0.1.0
//   members   a workspace whose packages/app needs @x/sdk; with pnpm 9 by way of a catalog
//   local     @x/spec is a folder: a link, a portal, or a copy
//   patched   @x/engine has a patch
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { canonicalText } from '../../src/canonical.ts'
import { appendEntry, type Ledger, movePointer, nextPlace, openLedger } from '../../src/ledger.ts'
import { pinsFile, pinsOf } from '../../src/pins.ts'
import type { Pins } from '../../src/records/ledger.ts'
import { digestsOf, tupleOf } from './tuples.ts'

/** Name of the file and the package manager, by the kind of fixtures. */
export const lockfileOf = {
  'npm-2': 'package-lock.json',
  'npm-3': 'package-lock.json',
  'pnpm-6': 'pnpm-lock.yaml',
  'pnpm-9': 'pnpm-lock.yaml',
  'yarn-1': 'yarn.lock',
  'yarn-4': 'yarn.lock',
} as const
export type Kind = keyof typeof lockfileOf
export type Variant = 'good' | 'second' | 'members' | 'local' | 'patched'

/** What the package managers wrote. */
export const lockfileText = (kind: Kind, variant: Variant = 'good'): string =>
  readFileSync(join(import.meta.dirname, `../lockfiles/${kind}-${variant}.txt`), 'utf8')

/** The integrities of 0.2.0 in the lockfiles. */
export const integrities = {
  '@x/engine': 'sha512-h/OyNf+E+zmZloMbltR96kkX1yKxnMlg1lGjbea4hcvYHRb6FjQYd+5Hp+ibJ0xCjUnGsJ2OEI6AQ7vqL8S5hg==',
  '@x/sdk': 'sha512-8HjLxYFRqV0evCHsHTO8Ug543egrkSg4owvLPOT87OHeqDlOasEGnefnS80bP1EiGl8Qw6wRZCOdQJNkLSVqyg==',
  '@x/spec': 'sha512-A5bNL0ePAnpSeb25uXjqA8+hTpcaUqJ+OfThdpiSMNqJEglwqCENCmDbOCpcVFgmlHsRWaCsnvqEMhokjlr9Aw==',
} as const
/** An integrity of the right form that is of nothing. */
export const otherIntegrity = digestsOf('other bytes').sha512

/** The manifest that the good lockfiles are of. */
export const goodManifest = {
  name: 'consumer',
  version: '1.0.0',
  private: true,
  dependencies: { '@x/engine': '0.2.0', '@x/sdk': '0.2.0', durable: 'npm:@x/sdk@0.2.0', helper: '1.0.0' },
}

/** A ledger with 0.1.0 and then 0.2.0, whose digests are those of the lockfiles. */
export function consumerLedger(folder: string): Ledger {
  mkdirSync(folder, { recursive: true })
  for (const version of ['0.1.0', '0.2.0']) {
    const usual = tupleOf(version, nextPlace(openLedger(folder)))
    const components = Object.entries(integrities).map(([name, sha512]) => {
      const component = usual.components[name]
      return [name, version === '0.2.0' ? { ...component, sha512 } : component]
    })
    const grown = appendEntry(folder, { ...usual, components: Object.fromEntries(components) })
    const added = grown.tuples.at(-1)
    if (added !== undefined) movePointer(grown, added)
  }
  return openLedger(folder)
}

/** The pins of the last tuple of such a ledger. */
export function pinsOfLast({ tuples }: Ledger): Pins {
  const last = tuples.at(-1)
  if (last === undefined) throw new Error('a ledger without tuples')
  return pinsOf(last)
}

/** What a consumer's folder holds besides the pins; a manifest or lockfile that is null is left out. */
export interface Consumer {
  readonly kind?: Kind
  readonly lockfile?: string | null
  readonly manifest?: unknown
  /** Further files, by path. */
  readonly files?: Readonly<Record<string, string>>
}

/** Makes a consumer's folder. */
export function makeConsumer(folder: string, given: Consumer = {}): void {
  const { kind = 'npm-3', manifest = goodManifest, lockfile = lockfileText(kind), files = {} } = given
  const all = {
    ...(lockfile !== null && { [lockfileOf[kind]]: lockfile }),
    ...(manifest !== null && { 'package.json': JSON.stringify(manifest, null, 2) }),
    ...files,
  }
  for (const [path, content] of Object.entries(all)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
}

/** A consumer's folder with its pins, and the ledger that they are of beside it. */
export function pinnedConsumer(folder: string, given: Consumer = {}) {
  const ledger = consumerLedger(join(folder, 'ledger'))
  const pins = pinsOfLast(ledger)
  const consumer = join(folder, 'consumer')
  makeConsumer(consumer, { ...given, files: { [pinsFile]: canonicalText(pins), ...given.files } })
  return { folder: consumer, pins, ledger }
}
