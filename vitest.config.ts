import { configDefaults, defineConfig } from 'vitest/config'
import { notRunReporter } from './infra/testing/not-run-reporter.ts'

/** Tests that run workers or start processes: what such a test leaves behind, a timer or a wake, is nobody else's. */
const WITH_WORKERS = [
  'infra/**/*.test.ts',
  'apps/**/*.test.ts',
  'packages/platform/src/{jobs,events,ops}/**/*.test.ts',
  'packages/platform/src/http/idempotency/*.test.ts',
  'packages/areas/src/{webhooks,exports,mail,events}/**/*.test.ts',
  'packages/areas/src/members/{imports,data-export}/*.test.ts',
]
const ALL = ['{packages,apps,infra}/**/*.test.ts']

export default defineConfig({
  test: {
    globalSetup: ['infra/testing/global-setup.ts'],
    // Processes, not threads: some tests send signals or change the account.
    pool: 'forks',
    // A file and its servers keep about one core busy.
    maxWorkers: 2,
    // Some tests start processes of their own, which import every area: 3 s of a core each.
    testTimeout: 45_000,
    hookTimeout: 60_000,
    teardownTimeout: 20_000,
    // Sources are loaded as the product loads them, by Node itself, which keeps what it compiled (NODE_COMPILE_CACHE).
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // Vitest's own summary comes last.
    reporters: [notRunReporter, 'default'],
    projects: [
      // A process runs one file after the other: loading every area anew for each took longer than the tests.
      {
        extends: true,
        test: {
          name: 'areas',
          isolate: false,
          include: ALL,
          exclude: [...configDefaults.exclude, ...WITH_WORKERS],
        },
      },
      { extends: true, test: { name: 'workers', isolate: true, include: WITH_WORKERS } },
    ],
  },
})
