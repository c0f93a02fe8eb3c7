// The public surface as golden files: `api/ENTRY.d.ts` of each package, and `api/files.txt`, what its tarball holds.
//
//   node scripts/surface.ts check       exit 1 and the differences, when there are some
//   node scripts/surface.ts accept      writes the files: the surface is meant to be so
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { packStaged, stagePublished } from './pack-published.ts'
import { publishedPackages } from './published.ts'
import { acceptSurface, surfaceDifferences, surfaceOf } from './surface-files.ts'

const [command, ...more] = process.argv.slice(2)
if ((command !== 'check' && command !== 'accept') || more.length > 0) {
  console.error('usage: node scripts/surface.ts check|accept')
  process.exit(2)
}
const workshop = mkdtempSync(join(tmpdir(), 'surface-'))
try {
  const folder = join(workshop, 'staged')
  const staged = await stagePublished(publishedPackages(), folder)
  const surface = await surfaceOf(staged, packStaged(staged, folder, join(workshop, 'tarballs')))
  if (command === 'accept') acceptSurface(surface)
  const differences = command === 'accept' ? [] : surfaceDifferences(surface)
  for (const difference of differences) console.log(difference)
  const meant = 'If it is meant to be so: `pnpm surface:accept`, and a changeset.'
  console.log(
    differences.length === 0
      ? `${surface.size} files of the surface are as they should be`
      : `The public surface has changed in ${differences.length} files. ${meant}`,
  )
  process.exitCode = differences.length === 0 ? 0 : 1
} finally {
  rmSync(workshop, { recursive: true, force: true })
}
