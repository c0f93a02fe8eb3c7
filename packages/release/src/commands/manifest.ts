import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { canonicalText, readCanonical, sha256 } from '../canonical.ts'
import type { Command } from '../command.ts'
import { manifestFile, packingFile, policyFile, readBound, releaseIdOf, tarballFolder, writeOnce } from '../evidence.ts'
import { refuseUnless } from '../guard.ts'
import { readPolicy } from '../policy.ts'
import { packing as packingShape } from '../records/manifest.ts'
import { shaped } from '../shape.ts'
import { buildManifest } from '../stages/manifest.ts'
import { writeSums } from '../sums.ts'

/** `rel manifest`: judges the tarballs and binds them; the release has its id from here on. */
export const manifest: Command = {
  name: 'manifest',
  says: 'reads and judges every tarball, and binds them in the manifest',
  words: '',
  options: { release: { type: 'string', required: true, says: 'the evidence folder that `rel pack` wrote' } },
  async run(given, { tool, progress }) {
    const folder = given.text('release')
    const packing = shaped(packingShape, readCanonical(readBound(folder, packingFile), 'packing'), 'packing')
    const policy = readPolicy(join(folder, policyFile))
    const built = await buildManifest({ tarballs: join(folder, tarballFolder), packing, policy, tool })
    const content = canonicalText(built)
    refuseUnless(!existsSync(join(folder, manifestFile)), 'stage_already_final', { stage: 'manifest' })
    writeOnce(join(folder, manifestFile), content)
    writeSums(folder)
    const { version, channel, packages, counts } = built
    const releaseId = releaseIdOf(version, sha256(content))
    progress(`${counts.packages} packages, ${counts.files} files, ${counts.bytes} bytes`)
    return {
      lines: [
        ...packages.map(({ tier, name, file }) => `${file.sha256}  tier ${tier}  ${name}`),
        `${releaseId} (${channel})`,
      ],
      json: { releaseId, manifestSha256: sha256(content), version, channel, counts },
    }
  },
}
