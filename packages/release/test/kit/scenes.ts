// A release in front of a registry: approved and about to be published, or published and about to be read back.
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readArchive } from '../../src/archive/read.ts'
import type { Patience } from '../../src/registry/patience.ts'
import { openRegistry } from '../../src/registry/registry.ts'
import { outcomeOf, type Sent, type Uploader } from '../../src/registry/upload.ts'
import { type Publishing, publish } from '../../src/stages/publish.ts'
import { type ReadingBack, readback } from '../../src/stages/readback.ts'
import { type Ending, endingOf } from './counterfactual.ts'
import { type StandIn, type StandInOptions, startStandIn } from './stand-in-registry.ts'
import { type Fields, fieldsOf, publishBody } from './stand-in-store.ts'
import { makeWorld, type World, type WorldOptions } from './world.ts'

/** A release and a registry. */
export interface Scene {
  readonly world: World
  readonly registry: StandIn
  /** An empty ledger. */
  readonly ledger: string
}

/** Makes both, lets the work look at them, and stops the registry. */
export async function inScene<T>(
  folder: string,
  options: WorldOptions & StandInOptions,
  work: (scene: Scene) => Promise<T>,
): Promise<T> {
  const registry = await startStandIn(options)
  try {
    const [release, ledger] = [join(folder, 'release'), join(folder, 'ledger')]
    for (const one of [release, ledger]) mkdirSync(one)
    return await work({ world: await makeWorld(release, { ...options, registry: registry.url }), registry, ledger })
  } finally {
    await registry.stop()
  }
}

/** How a stage ended, what it left in the registry, and what its record says. */
export async function sceneEnding({ world, registry }: Scene, work: () => Promise<unknown>): Promise<Ending> {
  const before = { uploads: registry.uploads(), state: registry.snapshot() }
  const ending = await endingOf(work)
  const last = world.evidence().records.at(-1)?.record
  return {
    ...ending,
    uploads: registry.uploads() - before.uploads,
    registryChanged: registry.snapshot() !== before.state,
    recorded: last === undefined ? null : { outcome: last.outcome, reason: last.reason },
  }
}

/** Bears with lag as long as it is told, and waits for nothing: its pauses move the world's clock. */
export const patienceIn = ({ context }: World, deadlineSeconds = 0): Patience => ({
  deadlineSeconds,
  async pause(milliseconds) {
    context.at(new Date(context.now().getTime() + milliseconds).toISOString())
  },
})

export const open = (url: string) => openRegistry(url, { seconds: 20, jsonBytes: 1024 * 1024 })
/** For cases that meet the limit: long enough for a busy machine to answer in time when it is to answer. */
export const openHastily = (url: string) => openRegistry(url, { seconds: 1 })

/** What `rel publish` hands to its stage, with the kit's own uploader. */
export const publishingIn = ({ world, registry, ledger }: Scene, changes: Partial<Publishing> = {}): Publishing => ({
  evidence: world.evidence(),
  policy: { policy: world.policy, sha256: world.policySha256 },
  ledger,
  registry: registry.url,
  distTag: world.distTag,
  dryRun: false,
  resume: false,
  patience: patienceIn(world),
  open,
  uploader: kitUploader,
  checkSource: () => {},
  ...changes,
})

export const publishIn = (scene: Scene, changes: Partial<Publishing> = {}) =>
  publish(scene.world.context, publishingIn(scene, changes))

/** What `rel readback` hands to its stage. */
export const readbackIn = ({ world, registry }: Scene, changes: Partial<ReadingBack> = {}) =>
  readback(world.context, {
    evidence: world.evidence(),
    registry: registry.url,
    patience: patienceIn(world),
    observer: 'test',
    install: null,
    open,
    ...changes,
  })

/** Puts the whole set into the registry, under the holding tag and that of the release, as a publication leaves it. */
export async function publishAll({ world, registry }: Scene): Promise<void> {
  const uploader = kitUploader(registry.url)
  for (const { name, version } of world.evidence().manifest.packages) {
    await uploader.upload(world.tarball(name), world.policy.distTags.holding)
    registry.tag(name, world.distTag, version)
  }
}

/** The manifest inside a tarball. */
export async function packedManifest(file: string): Promise<Fields> {
  const limits = { packedBytes: 1 << 20, unpackedBytes: 1 << 22, files: 100 }
  const { kept } = await readArchive(file, { limits, keep: (path) => path === 'package.json' })
  return fieldsOf(JSON.parse(Buffer.from(kept.get('package.json') ?? []).toString('utf8')))
}

/** Speaks npm's protocol itself: the production uploader starts a process for each request. */
export function kitUploader(registry: string): Uploader {
  const put = async (path: string, body: unknown): Promise<Sent> => {
    try {
      const response = await fetch(`${registry}${path}`, { method: 'PUT', body: JSON.stringify(body) })
      const says = await response.text()
      return { outcome: outcomeOf(response.status, says), status: response.status, says }
    } catch (error) {
      return { outcome: 'unknown', status: null, says: `${error}` }
    }
  }
  return {
    async upload(file, tag) {
      const manifest = await packedManifest(file)
      return put(`${manifest.name}`.replace('/', '%2f'), publishBody(manifest, readFileSync(file), tag))
    },
    moveTag: (name, version, tag) => put(`-/package/${name.replace('/', '%2f')}/dist-tags/${tag}`, version),
  }
}
