// The documents are run: every program of a page, against a real server, page by page.
import { afterAll, beforeAll, test } from 'vitest'
import { type ServerProcess, startServer } from '../support/server-process.ts'
import { readPages } from './pages.ts'
import { hasPrograms, runPage } from './run-page.ts'
import { makers, needs } from './tools.ts'

let server: ServerProcess
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.remove())

for (const page of readPages().filter(hasPrograms)) {
  const tools = needs(page)
  const missing = tools.filter(({ isThere }) => !isThere)
  const name = [page.path, ...missing.map((tool) => `(needs ${tool.name})`)].join(' ')
  // A cold cache compiles the published Rust SDK: minutes.
  test.skipIf(missing.length > 0)(name, { timeout: tools.length > 0 ? 1_200_000 : 180_000 }, async () => {
    await runPage({ page, serverUrl: server.url, makers: await makers(page) })
  })
}
