import { type Command, countOf, type Given } from '../command.ts'
import { Misused } from '../refusal.ts'
import { withdraw as withdrawRelease } from '../stages/withdraw.ts'

/** `rel withdraw`: tells in the ledger that a release must not be used any more, and where to go. */
export const withdraw: Command = {
  name: 'withdraw',
  says: 'withdraws a tuple, or gives up the release in progress; nothing is deleted',
  words: '',
  options: {
    ledger: { type: 'string', required: true, says: 'folder of the ledger' },
    tuple: { type: 'string', says: 'sequence of the tuple' },
    'in-progress': { type: 'boolean', says: 'instead of --tuple: the release that was begun and gets no tuple' },
    reason: { type: 'string', required: true, says: 'why, for those who use it' },
    successor: { type: 'string', required: true, says: 'version to move to: one of the ledger, or one to come' },
  },
  async run(given, context) {
    if (given.words.length > 0) throw new Misused('rel withdraw takes no words')
    const [reason, successor] = [given.text('reason'), given.text('successor')]
    if (reason.trim() === '') throw new Misused('--reason is empty')
    if (!/^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/.test(successor))
      throw new Misused(`--successor ${successor} is no exact version`)
    const { releaseId, sequence } = withdrawRelease(context, given.text('ledger'), {
      what: whatOf(given),
      reason,
      successor,
    })
    return {
      lines: [`withdrawn ${releaseId}: entry ${sequence} of the ledger; its successor is ${successor}`],
      json: { sequence, releaseId, successor },
    }
  },
}

function whatOf(given: Given): number | 'in-progress' {
  const tuple = given.optional('tuple')
  if ((tuple === undefined) !== given.flag('in-progress'))
    throw new Misused('rel withdraw needs --tuple or --in-progress')
  return tuple === undefined ? 'in-progress' : countOf('tuple', tuple)
}
