import { describe, expect, test } from 'vitest'
import { openStore } from '../src/index.ts'

describe('openStore', () => {
  test.each(['', 'sqlite', 'sqlite:', 'mysql://host/db', 'postgres:', 'postgres://host:port/db', '/tmp/a.db'])(
    'the URL %j names no database',
    async (url) => {
      await expect(openStore(url)).rejects.toThrow(
        'use sqlite:FILE, sqlite::memory: or postgres://USER:PASSWORD@HOST:PORT/DATABASE',
      )
    },
  )

  test('a URL that is refused is not repeated: it may hold a password', async () => {
    await expect(openStore('postgres://dw:secret@host:port/db')).rejects.not.toThrow('secret')
  })
})
