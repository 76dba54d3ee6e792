import { defineConfig } from 'vitest/config'
import { notRunReporter } from './infra/testing/not-run-reporter.ts'

export default defineConfig({
  test: {
    include: ['{packages,apps,infra}/**/*.test.ts'],
    globalSetup: ['infra/testing/global-setup.ts'],
    // Processes, not threads: some tests send signals or change the account. Each runs one file after the other: loading
    // every area anew for each file took longer than the tests.
    pool: 'forks',
    isolate: false,
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
  },
})
