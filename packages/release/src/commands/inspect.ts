import { type Inspected, inspectTarball, installed } from '../archive/inspect.ts'
import { shown } from '../archive/shown.ts'
import type { Command } from '../command.ts'
import { readPolicy } from '../policy.ts'
import { Misused } from '../refusal.ts'
import { existingFile } from './existing-file.ts'

/** `rel inspect TGZ`: what a tarball is and holds, by itself. */
export const inspect: Command = {
  name: 'inspect',
  says: 'the digests, files and manifest of a tarball, read strictly',
  words: '<tgz>',
  options: { policy: { type: 'string', says: 'policy whose limits hold; wide ones without it' } },
  async run(given) {
    const [file, ...more] = given.words
    if (file === undefined || more.length > 0) throw new Misused('inspect takes one tarball')
    const policy = given.optional('policy')
    const limits = policy === undefined ? undefined : readPolicy(existingFile(policy)).policy.limits
    const { kept: _, ...inspected } = await inspectTarball(existingFile(file), limits)
    return { lines: linesOf(inspected).map(shown), json: inspected }
  },
}

function linesOf(inspected: Omit<Inspected, 'kept'>): string[] {
  const { manifest, files } = inspected
  const bytes = files.reduce((sum, { size }) => sum + size, 0)
  const width = `${Math.max(0, ...files.map(({ size }) => size))}`.length
  return [
    `${manifest.name} ${manifest.version}`,
    `commit      ${manifest.gitHead ?? 'none (no gitHead)'}`,
    `size        ${inspected.size} bytes packed, ${bytes} in ${files.length} files`,
    `sha256      ${inspected.sha256}`,
    `sha512      ${inspected.sha512}`,
    `sha1        ${inspected.sha1}`,
    `tar sha256  ${inspected.tarSha256}`,
    `tree sha256 ${inspected.treeSha256}`,
    ...installed(manifest).map(({ name, range, kind }) =>
      `needs       ${name} ${range} ${kind === 'dependencies' ? '' : kind}`.trimEnd(),
    ),
    ...(manifest.scripts.length > 0 ? [`scripts     ${manifest.scripts.join(' ')}`] : []),
    ...files.map(({ path, size, mode, sha256 }) => `${mode} ${`${size}`.padStart(width)} ${sha256} ${path}`),
  ]
}
