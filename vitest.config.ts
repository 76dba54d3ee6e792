import { defineConfig } from 'vitest/config'
import { notRunReporter } from './infra/testing/not-run-reporter.ts'

export default defineConfig({
  test: {
    include: ['{packages,apps,infra}/**/*.test.ts'],
    globalSetup: ['infra/testing/global-setup.ts'],
    // A process per file: what a test leaves behind, a timer or a connection, is nobody else's.
    pool: 'forks',
    // Suites wait for servers half of the time, so that two cores keep three files busy.
    maxWorkers: 3,
    testTimeout: 20_000,
    hookTimeout: 60_000,
    teardownTimeout: 20_000,
    // Vitest's own summary comes last.
    reporters: [notRunReporter, 'default'],
  },
})
