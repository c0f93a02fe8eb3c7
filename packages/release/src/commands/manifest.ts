import type { Command } from '../command.ts'
import { bindRelease } from '../stages/manifest.ts'
import { writeSums } from '../sums.ts'

/** `rel manifest`: judges the tarballs and binds them; the release has its id from here on. */
export const manifest: Command = {
  name: 'manifest',
  says: 'reads and judges every tarball, and binds them in the manifest',
  words: '',
  options: { release: { type: 'string', required: true, says: 'the evidence folder that `rel pack` wrote' } },
  async run(given, { tool }) {
    const folder = given.text('release')
    const { manifest: made, sha256, releaseId } = await bindRelease(folder, tool)
    writeSums(folder)
    const { version, channel, packages, counts } = made
    return {
      lines: [
        ...packages.map(({ tier, name, file }) => `${file.sha256}  tier ${tier}  ${name}`),
        `${counts.packages} packages, ${counts.files} files, ${counts.bytes} bytes`,
        `${releaseId} (${channel})`,
      ],
      json: { releaseId, manifestSha256: sha256, version, channel, counts },
    }
  },
}
