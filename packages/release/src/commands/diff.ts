import { readFileSync } from 'node:fs'
import { diffSides, type Side, sideOfManifest } from '../archive/diff.ts'
import { linesOfDiff } from '../archive/diff-lines.ts'
import { inspectTarball, sideOfTarball } from '../archive/inspect.ts'
import { shown } from '../archive/shown.ts'
import { readCanonical } from '../canonical.ts'
import type { Command } from '../command.ts'
import { manifest } from '../records/manifest.ts'
import { Misused } from '../refusal.ts'
import { shaped } from '../shape.ts'
import { existingFile } from './existing-file.ts'

/** `rel diff ONE OTHER`: what differs; a tarball is compared with a tarball, or with its package of a manifest. */
export const diff: Command = {
  name: 'diff',
  says: 'what differs between two releases or two tarballs: files, sizes, dependencies, protocol, tools',
  words: '<tgz|manifest> <tgz|manifest>',
  options: {},
  async run({ words }) {
    const [one, other, ...more] = words
    if (one === undefined || other === undefined || more.length > 0) {
      throw new Misused('diff takes two files, each a tarball or a release-manifest.json')
    }
    const [before, after] = comparable(await readSide(one), await readSide(other))
    const differences = diffSides(before, after)
    return { lines: linesOfDiff(differences).map(shown), json: { ...differences } }
  },
}

async function readSide(file: string): Promise<Side> {
  if (file.endsWith('.tgz')) return sideOfTarball(await inspectTarball(existingFile(file)))
  if (!file.endsWith('.json')) throw new Misused(`${file} ends neither in .tgz nor in .json`)
  const content = readFileSync(existingFile(file), 'utf8')
  return sideOfManifest(shaped(manifest, readCanonical(content, file), 'manifest'))
}

/** Of a manifest only the package of the tarball it is compared with: a tarball says nothing of the rest. */
function comparable(one: Side, other: Side): readonly [Side, Side] {
  if (isTarball(one) === isTarball(other)) return [one, other]
  return isTarball(one) ? [one, narrowed(other, one)] : [narrowed(one, other), other]
}

const isTarball = ({ toolchain }: Side): boolean => Object.keys(toolchain).length === 0

function narrowed(side: Side, { packages: [wanted] }: Side): Side {
  const packages = side.packages.filter(({ name }) => name === wanted?.name)
  if (packages.length === 0) throw new Misused(`the manifest has no package ${wanted?.name}`)
  return { ...side, packages, protocol: {}, toolchain: {}, compatibility: {} }
}
