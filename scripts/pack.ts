// Builds all published packages and writes their tarballs: `pnpm pack:all OUT`. Equal sources give equal bytes.
//
//   node scripts/pack.ts OUT [--git-head SHA]
//
//   OUT               is empty, or not there
//   --git-head SHA    for a release: the full id of the commit that the sources are; each manifest names it as gitHead
import { parseArgs } from 'node:util'
import { packPublished } from './pack-published.ts'
import { publishedPackages } from './published.ts'

const { values, positionals } = parseArgs({ options: { 'git-head': { type: 'string' } }, allowPositionals: true })
const [out, ...more] = positionals
const gitHead = values['git-head']
if (out === undefined || more.length > 0 || (gitHead !== undefined && !/^[0-9a-f]{40}$/.test(gitHead))) {
  console.error('usage: node scripts/pack.ts OUT [--git-head SHA]; OUT is a folder that is empty or not there')
  process.exit(2)
}
for (const { file, bytes, sha256 } of await packPublished(publishedPackages(), out, gitHead)) {
  console.log(`${sha256}  ${bytes} bytes  ${file}`)
}
