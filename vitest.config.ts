import { defineConfig } from 'vitest/config'

// Tests run straight from sources: the export condition `source` points at src/ in every workspace package. `import` is not
// among them: Vitest hands all of them to the process, and a CommonJS package (pg) would require the ESM half of another.
const conditions = ['source', 'node']
const fromSource = {
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
}
const setupFiles = [new URL('tests/walls/loopback-only.ts', import.meta.url).pathname]
const node = ['--conditions=source', '--disable-warning=ExperimentalWarning']

export default defineConfig({
  test: {
    reporters: ['default'],
    projects: [
      {
        ...fromSource,
        test: {
          name: 'packages',
          testTimeout: 20_000, // a loaded machine of two cores is slow, not wrong
          hookTimeout: 60_000, // removing a database with a hundred schemas waits for the disk
          include: ['packages/*/{src,test}/**/*.test.ts', 'apps/*/{src,test}/**/*.test.ts', 'bench/**/*.test.ts'],
          execArgv: node,
          setupFiles,
        },
      },
      {
        ...fromSource,
        test: {
          name: 'house',
          include: ['tests/{tidy,walls}/**/*.test.ts', 'scripts/**/*.test.ts'],
          execArgv: node,
          setupFiles,
          testTimeout: 60_000,
        },
      },
      {
        // Several processes and sockets each: one file at a time, or two cores are not enough.
        ...fromSource,
        test: {
          name: 'tests',
          include: [
            'tests/{support,connected,crash,drills,docs}/**/*.test.ts',
            'tests/foreign/*.test.ts',
            'examples/*/{src,test}/**/*.test.ts',
          ],
          execArgv: node,
          setupFiles,
          testTimeout: 180_000,
          hookTimeout: 60_000,
          fileParallelism: false,
        },
      },
      {
        // Not from source: what the tarballs hold, in a folder outside of the repository.
        test: {
          name: 'packed',
          include: ['tests/packed/**/*.test.ts'],
          globalSetup: ['tests/packed/setup.ts'],
          setupFiles,
          testTimeout: 180_000,
          hookTimeout: 180_000,
        },
      },
      {
        // One rehearsal of a release, then tests on what it left. From source: it is `rel` of this checkout that releases.
        ...fromSource,
        test: {
          name: 'release',
          include: ['tests/release/**/*.test.ts'],
          globalSetup: ['tests/release/setup.ts'],
          execArgv: node,
          setupFiles,
          testTimeout: 180_000,
          hookTimeout: 60_000,
          fileParallelism: false,
        },
      },
    ],
  },
})
