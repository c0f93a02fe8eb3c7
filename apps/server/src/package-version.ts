import { readFileSync } from 'node:fs'

/** The version of this package. Its manifest lies one folder above, from source as from what is installed. */
export function packageVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  if (typeof manifest === 'object' && manifest !== null && 'version' in manifest) return String(manifest.version)
  throw new Error('package.json of the server has no version')
}
