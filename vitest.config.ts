import { configDefaults, defineConfig } from 'vitest/config'
import { closingLineReporter } from './infra/testing/closing-line-reporter.ts'
import { notRunReporter } from './infra/testing/not-run-reporter.ts'
import { SOON } from './packages/testkit/src/soon.ts'

/**
 * Tests that start processes of their own, and tests of the tools: they share nothing with those of the product. So does the test of
 * all statements that a process has declared: other tests declare some for tables of their own.
 */
const OF_PROCESSES = ['infra/**/*.test.ts', 'apps/**/*.test.ts', 'packages/areas/catalog/plans.test.ts']
/**
 * What takes long and seldom breaks: packages as customers install them, guides and recipes as readers walk them, pages in a browser,
 * processes that are killed, servers that fail. `npm run release:test` runs it.
 */
const OF_RELEASE = [
  'infra/{backup,cells,cli,faults,scale}/**/*.test.ts',
  'infra/{pack,readme-blocks,recipes}.test.ts',
  'infra/compose/{image-run,topology}.test.ts',
  'infra/elements/elements.test.ts',
  'infra/sdk/{browser,package}.test.ts',
  'infra/security/neighbours/*.test.ts',
  'packages/**/*browser.test.ts',
  'packages/areas/catalog/fuzz.test.ts',
  'packages/areas/src/analytics/tracker/track.test.ts',
  'packages/areas/src/auth/passkeys/answers.test.ts',
  'packages/areas/src/community/imports/interrupted.test.ts',
  'packages/areas/src/projects/{removal,transfer,usage}/*.test.ts',
  'packages/areas/src/storage/uploads/frozen-storage.test.ts',
  'packages/platform/src/http/idempotency/crash.test.ts',
  'packages/platform/src/jobs/recovery.test.ts',
]
const ALL = ['{packages,apps,infra}/**/*.test.ts']

export default defineConfig({
  test: {
    globalSetup: ['infra/testing/global-setup.ts'],
    // Processes, not threads: some tests send signals or change the account.
    pool: 'forks',
    // A file waits a third to a half of its time, for its servers and for time to pass.
    maxWorkers: 4,
    // Some tests start processes of their own, which import every area: 3 s of a core each.
    // On a machine that is five times slower for a while, and runs three files at a time, that takes half a minute.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    teardownTimeout: 20_000,
    // In place of a second, which a busy machine may stand still for.
    expect: { poll: SOON },
    // Sources are loaded as the product loads them, by Node itself, which keeps what it compiled (NODE_COMPILE_CACHE).
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // Vitest's own summary comes last, and its numbers once more without colours.
    reporters: [notRunReporter, 'default', closingLineReporter],
    projects: [
      // A process runs one file after the other: loading every area anew for each took longer than the tests.
      {
        extends: true,
        test: {
          name: 'areas',
          isolate: false,
          include: ALL,
          exclude: [...configDefaults.exclude, ...OF_PROCESSES, ...OF_RELEASE],
        },
      },
      {
        extends: true,
        test: {
          name: 'processes',
          isolate: true,
          include: OF_PROCESSES,
          exclude: [...configDefaults.exclude, ...OF_RELEASE],
        },
      },
      { extends: true, test: { name: 'release', isolate: true, include: OF_RELEASE } },
    ],
  },
})
