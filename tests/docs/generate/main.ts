// `pnpm docs:generate`: writes the generated parts of docs/ anew.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../pages.ts'
import { generatedPages } from './parts.ts'

for (const { path, text } of generatedPages()) {
  writeFileSync(join(root, path), text)
  console.log(`wrote ${path}`)
}
