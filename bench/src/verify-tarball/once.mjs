// Verifies one tarball and tells what it took: seconds of the verification, and the peak of the whole process.
//
// It is JavaScript and loads the built package, as a consumer does: Node's own stripping of types holds 30 MiB.
import { readArchive } from '@durable-workflow/release'

const [file = ''] = process.argv.slice(2)
const limits = { packedBytes: 2 ** 30, unpackedBytes: 2 ** 30, files: 100_000 }
const began = process.hrtime.bigint()
const { files } = await readArchive(file, { limits })
const seconds = Number(process.hrtime.bigint() - began) / 1e9
console.log(
  JSON.stringify({
    seconds,
    peakBytes: process.resourceUsage().maxRSS * 1024,
    files: files.length,
    unpackedBytes: files.reduce((sum, { size }) => sum + size, 0),
  }),
)
