// Every command, given a path that leads nowhere or to something else: the answer says so, and it is never a fault of ours.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { commands } from '../src/commands/commands.ts'
import { rel } from './kit/rel.ts'
import { makeWorld } from './kit/world.ts'

const folder = mkdtempSync(join(tmpdir(), 'release-lines-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const registry = 'http://127.0.0.1:9/'
const at = {
  release: join(folder, 'release'),
  policy: join(folder, 'release/policy.json'),
  ledger: join(folder, 'ledger'),
  empty: join(folder, 'empty'),
  text: join(folder, 'a text'),
  nowhere: join(folder, 'nowhere/at/all'),
}
const id = '1f'.repeat(20)

const to = ['--registry', registry, '--dist-tag', 'latest'] as const
const approve = (given: { release?: string; policy?: string; key?: string }): readonly string[] => {
  const { release = at.release, policy = at.policy, key = at.text } = given
  return ['approve', '--release', release, '--policy', policy, '--key', key, ...to]
}
const publish = (given: { release?: string; policy?: string; ledger?: string }): readonly string[] => {
  const { release = at.release, policy = at.policy, ledger = at.ledger } = given
  return ['publish', '--release', release, '--policy', policy, '--ledger', ledger, ...to]
}

/** A command line that would be right, so far as paths go; `?` stands for the path that is not. */
const lines: readonly (readonly string[])[] = [
  ['plan', '--repository', '?', '--policy', at.policy],
  ['plan', '--repository', at.empty, '--policy', '?'],
  ['plan', '--repository', at.empty, '--policy', at.policy, '--previous', '?'],
  ['pack', '--repository', '?', '--commit', id, '--policy', at.policy, '--out', join(folder, 'out')],
  ['pack', '--repository', at.empty, '--commit', id, '--policy', '?', '--out', join(folder, 'out')],
  ['manifest', '--release', '?'],
  ['inspect', '?'],
  ['inspect', at.text, '--policy', '?'],
  ['diff', '?', '?'],
  ['reproduce', '--release', '?', '--repository', at.empty],
  ['reproduce', '--release', at.release, '--repository', '?'],
  ['accept', '--release', '?', '--suite', at.empty, '--database', 'sqlite'],
  ['accept', '--release', at.release, '--suite', '?', '--database', 'sqlite'],
  ['keygen', '--out', '?', '--id', 'a', '--person', 'A', '--role', 'r'],
  approve({ release: '?' }),
  approve({ policy: '?' }),
  approve({ key: '?' }),
  ['check', '--release', '?', '--stage', 'publish'],
  ['check', '--release', at.release, '--stage', 'publish', '--policy', '?'],
  publish({ release: '?' }),
  publish({ policy: '?' }),
  [...publish({ ledger: '?' }), '--dry-run'],
  [...publish({}), '--repository', '?', '--dry-run'],
  ['readback', '--release', '?', '--registry', registry],
  ['tuple', 'append', '--release', '?', '--ledger', at.ledger],
  ['tuple', 'append', '--release', at.release, '--ledger', '?'],
  ['tuple', 'show', '--ledger', '?'],
  ['tuple', 'verify', '--ledger', '?'],
  ['pin', '--ledger', '?', '--into', at.empty],
  ['pin', '--ledger', at.ledger, '--into', '?'],
  ['verify-pins', '?'],
  ['verify-pins', at.empty, '--pins', '?'],
  ['verify-pins', at.empty, '--ledger', '?'],
  ['watch', '--tuple', '?', '--registry', registry],
  ['withdraw', '--ledger', '?', '--tuple', '1', '--reason', 'r', '--successor', '9.9.9'],
  ['verify', '?'],
  ['verify', at.release, '--policy', '?'],
]

beforeAll(async () => {
  for (const one of [at.release, at.ledger, at.empty]) mkdirSync(one)
  await makeWorld(at.release, { until: 'manifest' })
  writeFileSync(at.text, 'a text\n')
})

describe.each([
  ['leads nowhere', at.nowhere],
  ['is an empty folder', at.empty],
  ['is a text', at.text],
  ['is the empty word', ''],
])('a path that %s', (_, path) => {
  test.each(lines.map((words) => [words.map((word) => word.replace(folder, '')).join(' '), words] as const))(
    'rel %s',
    async (_title, words) => {
      const { exit, out, err } = await rel(words.map((word) => (word === '?' ? path : word)))
      expect([0, 2, 10, 20], [...out, ...err].join('\n')).toContain(exit)
    },
  )
})

test('every command that takes a path is among them', () => {
  const taken: ReadonlySet<string> = new Set(lines.map(([name = '']) => name))
  expect(commands.map(({ name }) => name).filter((name) => !taken.has(name))).toEqual(['explain'])
})
