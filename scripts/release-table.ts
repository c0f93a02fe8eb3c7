// The requirements of the release and the tests that show them: `pnpm release:table`.
//
//   node scripts/release-table.ts [--report FILE …]     without reports it runs the tests that have a number
//
// Prints P-01 to P-88 with each test's name and result, then, where the tests ran here, the guard ablation table. Exit 1 when one
// of them has not passed.
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { fields, root } from './published.ts'
import { shownIn, tableOf } from './requirements.ts'

const { values } = parseArgs({ options: { report: { type: 'string', multiple: true, default: [] } } })
const workshop = mkdtempSync(join(tmpdir(), 'release-table-'))
const ablation = join(workshop, 'ablation.txt')

/** Runs every test with a number, whichever way they end, and answers with the report. */
async function report(): Promise<string> {
  const file = join(workshop, 'report.json')
  const projects = ['packages', 'house', 'release'].flatMap((name) => ['--project', name])
  const places = ['packages/release', 'scripts', 'tests/release']
  const args = ['run', ...projects, ...places, '-t', '^P-\\d\\d', '--reporter=json', `--outputFile.json=${file}`]
  const child = spawn(join(root, 'node_modules/.bin/vitest'), args, {
    cwd: root,
    env: { ...process.env, REL_ABLATION_TABLE: ablation },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  await new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  return file
}

try {
  const files = values.report.length > 0 ? values.report : [await report()]
  const testResults = files.flatMap((file) => {
    const results = fields(JSON.parse(readFileSync(file, 'utf8'))).get('testResults')
    return Array.isArray(results) ? results : []
  })
  const rows = shownIn({ testResults }, root)
  for (const line of tableOf(rows)) console.log(line)
  if (existsSync(ablation)) {
    console.log('\n| guard | codes | without it these cases fail | cases that stay |')
    console.log('| --- | --- | --- | --- |')
    console.log(readFileSync(ablation, 'utf8').trimEnd())
  }
  process.exitCode = rows.every(({ result }) => result === 'passed') ? 0 : 1
} finally {
  rmSync(workshop, { recursive: true, force: true })
}
