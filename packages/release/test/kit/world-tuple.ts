import { join } from 'node:path'
import { canonicalText } from '../../src/canonical.ts'
import { replaceFile, tupleFile } from '../../src/evidence.ts'
import { fulfilled } from '../../src/pipeline.ts'
import type { Tuple } from '../../src/records/ledger.ts'
import { writeSums } from '../../src/sums.ts'
import type { World } from './world.ts'

const kinds = ['reproduction', 'acceptance', 'approval', 'publication', 'readback'] as const

/** The first tuple of a ledger, of this release. */
export function tupleOfWorld(world: World): Tuple {
  const evidence = world.evidence()
  const { manifest, manifestSha256, releaseId } = evidence
  return {
    schema: 'durable-workflow.release/tuple/v1',
    sequence: 1,
    previous: null,
    releaseId,
    version: manifest.version,
    channel: manifest.channel,
    registry: world.registry,
    components: Object.fromEntries(
      manifest.packages.map(({ name, version, file: { sha256, sha512 } }) => [
        name,
        { version, commit: manifest.source.commit, sha256, sha512 },
      ]),
    ),
    protocol: manifest.protocol.lines,
    compatibility: manifest.compatibility,
    status: 'verified',
    evidence: {
      manifest: manifestSha256,
      ...Object.fromEntries(kinds.map((kind) => [kind, fulfilled(evidence, kind)?.sha256 ?? manifestSha256])),
    },
    at: world.context.now().toISOString(),
  }
}

/** Closes the folder of a release that was read back: with that tuple, `changed` fields as given. */
export function writeTuple(world: World, changed: Partial<Tuple> = {}): void {
  replaceFile(join(world.folder, tupleFile), canonicalText({ ...tupleOfWorld(world), ...changed }))
  writeSums(world.folder)
}
