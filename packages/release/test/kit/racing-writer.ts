// A program that appends one record each time a line comes in, and says how it went: `written`, or what was thrown.
import { createInterface } from 'node:readline'
import { sha256 } from '../../src/canonical.ts'
import { openEvidence, recorded } from '../../src/evidence.ts'
import { inputsOf } from '../../src/pipeline.ts'
import { type RecordKind, recordShapes } from '../../src/records/records.ts'

const [folder, kind] = process.argv.slice(2)
const isKind = (text: string | undefined): text is RecordKind => text !== undefined && Object.hasOwn(recordShapes, text)
if (folder === undefined || !isKind(kind)) throw new Error('a folder and a kind of record')

const context = {
  now: () => new Date(),
  progress: () => {},
  tool: { version: '0.1.0', sha256: sha256('rel') },
}

console.log('ready')
for await (const _ of createInterface({ input: process.stdin })) {
  try {
    const evidence = openEvidence(folder)
    await recorded(context, evidence, { kind, inputs: inputsOf(evidence, kind) }, async () => {})
    console.log('written')
  } catch (error) {
    console.log(String(error))
  }
}
