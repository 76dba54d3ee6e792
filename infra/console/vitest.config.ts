import { defineConfig, mergeConfig } from 'vitest/config'
import shared from '../../vitest.config.ts'

const { test: { projects: _, ...test } = {} } = shared

/** The tests of the console in a browser, which `npm test` leaves out. */
export default mergeConfig(
  defineConfig({ test }),
  // A browser and an API for each file: more of them at once wait for each other.
  defineConfig({ test: { include: ['infra/console/*.browser.ts'], maxWorkers: 2 } }),
)
