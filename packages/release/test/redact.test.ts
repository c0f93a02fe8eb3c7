import fc from 'fast-check'
import { expect, test } from 'vitest'
import { redact, redacted } from '../src/acceptance/redact.ts'

const canary = 'canary0123456789ABCDEFGH'

test.each([
  ['the value of a variable with a secret name', `it is ${canary}.`, { MY_TOKEN: canary }],
  ['an authToken of npm', `//127.0.0.1:4873/:_authToken=${canary}`, {}],
  ['an authToken in quotes', `//127.0.0.1:4873/:_authToken = "${canary}"`, {}],
  ['a bearer token', `authorization: Bearer ${canary}`, {}],
  ['basic credentials', `Authorization: basic ${canary}==`, {}],
  ['a token of npm', `npm_${canary}`, {}],
  ['a token of GitHub', `ghp_${canary}`, {}],
  ['a fine-grained token of GitHub', `github_pat_${canary}_${canary}`, {}],
  ['a password in a URL', `postgres://someone:${canary}@127.0.0.1:5432/db`, {}],
  ['a private key', `-----BEGIN PRIVATE KEY-----\n${canary}\n-----END PRIVATE KEY-----\n`, {}],
  [
    'a private key in JSON',
    JSON.stringify({ key: `-----BEGIN RSA PRIVATE KEY-----\n${canary}\n-----END RSA PRIVATE KEY-----\n` }),
    {},
  ],
  ['a private key that is cut off', `-----BEGIN PRIVATE KEY-----\n${canary}\n`, {}],
])('P-54 %s is redacted', (_, text, environment) => {
  const kept = redact(`before ${text}`, environment)
  expect(kept).not.toContain(canary)
  expect(kept).toContain(redacted)
  expect(kept).toMatch(/^before /)
})

test('P-54 what is no secret stays: URLs without a password, short values, other variables', () => {
  const text = 'http://127.0.0.1:7400/api bearer of news, PATH /usr/bin, true, basic types'
  expect(redact(text, { PATH: '/usr/bin', USE_TOKEN: 'true' })).toBe(text)
})

test('P-54 whatever stands around a secret value, it does not come through, and redacting twice changes nothing more', () => {
  const secret = fc.string({ minLength: 6, maxLength: 40 }).filter((value) => !redacted.includes(value))
  fc.assert(
    fc.property(secret, fc.string(), fc.string(), (value, before, after) => {
      const environment = { DEPLOY_SECRET: value }
      const kept = redact(`${before}${value}${after}`, environment)
      expect(kept.replaceAll(redacted, '')).not.toContain(value)
      expect(redact(kept, environment)).toBe(kept)
    }),
  )
})
