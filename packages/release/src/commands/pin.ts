import { join } from 'node:path'
import { type Command, countOf } from '../command.ts'
import { pinsFile } from '../pins.ts'
import { Misused } from '../refusal.ts'
import { howToUse, pin as pinTuple } from '../stages/pin.ts'

/** `rel pin`: writes the versions and digests of a tuple into a consumer's folder. */
export const pin: Command = {
  name: 'pin',
  says: `writes ${pinsFile}: exact versions and integrities of a verified release`,
  words: '',
  options: {
    ledger: { type: 'string', required: true, says: 'folder of the ledger' },
    tuple: { type: 'string', says: 'sequence of the tuple; the one that stable points to unless given' },
    into: { type: 'string', required: true, says: 'folder of the consumer' },
  },
  async run(given) {
    if (given.words.length > 0) throw new Misused('rel pin takes no words')
    const tuple = given.optional('tuple')
    const into = given.text('into')
    const pins = pinTuple(given.text('ledger'), into, tuple === undefined ? undefined : countOf('tuple', tuple))
    const { releaseId, sequence, packages } = pins
    return {
      lines: [`pinned ${releaseId} (tuple ${sequence}) in ${join(into, pinsFile)}`, '', ...howToUse(pins)],
      json: { releaseId, sequence, file: join(into, pinsFile), packages },
    }
  },
}
