import { readFileSync } from 'node:fs'
import { readCanonical } from '../canonical.ts'
import type { Command } from '../command.ts'
import { tuple as tupleShape } from '../records/ledger.ts'
import { explicitRegistry, openRegistry } from '../registry/registry.ts'
import { shaped } from '../shape.ts'
import { watch as watchStage } from '../stages/watch.ts'
import { existingFile } from './existing-file.ts'

/** `rel watch`: whether a registry still serves what was verified once. */
export const watch: Command = {
  name: 'watch',
  says: 'whether the registry still serves the verified bytes, undeprecated and under its tags',
  words: '',
  options: {
    tuple: { type: 'string', required: true, says: 'the tuple, a file of the ledger' },
    registry: { type: 'string', says: 'where to look; settings and environment are not asked' },
    'dist-tag': { type: 'string', multiple: true, says: 'a tag that must still name the version; none without it' },
    attested: { type: 'boolean', says: 'every version must have its attestation' },
  },
  async run(given, context) {
    const file = existingFile(given.text('tuple'))
    const tuple = shaped(tupleShape, readCanonical(readFileSync(file, 'utf8'), file), 'tuple')
    const registry = openRegistry(explicitRegistry(given.optional('registry')))
    const tags = given.all('dist-tag')
    const attestation = given.flag('attested') ? 'required' : 'none'
    const lines = await watchStage(context, { tuple, registry, tags, attestation })
    const tagged = tags.length === 0 ? 'no tag was asked for' : `tags ${tags.join(', ')} in place`
    return {
      lines: [...lines, `${tuple.releaseId}: as it was verified; ${tagged}`],
      json: { release: tuple.releaseId, packages: Object.keys(tuple.components), tags },
    }
  },
}
