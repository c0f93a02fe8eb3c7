// Builds what is published into its `dist/`, to look at. What goes out is packed from a folder of its own: `pnpm pack:all`.
//
//   node scripts/build.ts [PACKAGE …]      names without the scope: codec sdk
import { join } from 'node:path'
import { buildPackage } from './build-package.ts'
import { chosenPackages } from './published.ts'

for (const one of chosenPackages(process.argv.slice(2))) {
  const began = performance.now()
  await buildPackage(one, join(one.folder, 'dist'))
  const names = [...one.entries.keys(), ...one.programs.keys()].join(' ')
  console.log(`${one.name}  ${names}  ${((performance.now() - began) / 1000).toFixed(1)} s`)
}
