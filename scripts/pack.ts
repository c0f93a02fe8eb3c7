// Builds all published packages and writes their tarballs: `pnpm pack:all OUT`. Equal sources give equal bytes.
//
//   node scripts/pack.ts OUT      OUT is empty, or not there
import { packPublished } from './pack-published.ts'
import { publishedPackages } from './published.ts'

const [out, ...more] = process.argv.slice(2)
if (out === undefined || more.length > 0) {
  console.error('usage: node scripts/pack.ts OUT; OUT is a folder that is empty or not there')
  process.exit(2)
}
for (const { file, bytes, sha256 } of await packPublished(publishedPackages(), out)) {
  console.log(`${sha256}  ${bytes} bytes  ${file}`)
}
