import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** What is looked at of a package of the manifest. */
interface Tarball {
  readonly name: string
  readonly version: string
  readonly file: { readonly size: number }
}

/** Flips one bit in the middle of the largest published tarball, where the registry keeps it; the answer gives it back. */
export function flipByteOfPublished(storage: string, packages: readonly Tarball[]): () => void {
  const [largest] = packages.toSorted((one, other) => other.file.size - one.file.size)
  if (largest === undefined) throw new Error('the manifest has no package')
  const { name, version } = largest
  const file = join(storage, name, `${name.split('/').at(-1)}-${version}.tgz`)
  const before = readFileSync(file)
  const after = Buffer.from(before)
  const middle = Math.floor(after.length / 2)
  after.writeUInt8(after.readUInt8(middle) ^ 1, middle)
  writeFileSync(file, after)
  return () => writeFileSync(file, before)
}
