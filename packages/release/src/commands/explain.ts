import type { Command } from '../command.ts'
import { isRefusalCode, Misused, refusals } from '../refusal.ts'

/** `rel explain CODE`: what a code means and the next safe action; without a code, all of them. */
export const explain: Command = {
  name: 'explain',
  says: 'what a refusal code means, and the next safe action; all codes without one',
  words: '[code]',
  options: {},
  async run({ words }) {
    const [code, ...more] = words
    if (more.length > 0) throw new Misused('explain takes one code')
    if (code === undefined) {
      const codes = Object.entries(refusals)
      return { lines: codes.map(([name, { says }]) => `${name.padEnd(34)} ${says}`), json: { codes: refusals } }
    }
    if (!isRefusalCode(code)) throw new Misused(`no refusal code ${code}; rel explain lists them`)
    const { area, kind, says, next } = refusals[code]
    const exit = { refused: 10, retryable: 20, info: 0 }[kind]
    return { lines: [`${code} (${area}, exit ${exit})`, says, `Next: ${next}`], json: { code, area, exit, says, next } }
  },
}
