/** Names the tests that were not run: a machine without a Redis must not be mistaken for one that passed. */
import type { Reporter, TestModule } from 'vitest/node'

/** A vitest reporter; it comes before vitest's own, whose summary closes the run. */
export const notRunReporter: Reporter = {
  onTestRunEnd(modules: ReadonlyArray<TestModule>) {
    const notRun = modules.flatMap((module) =>
      [...module.children.allTests('skipped')].map((test) => `${module.relativeModuleId} > ${test.fullName}`),
    )
    if (notRun.length === 0) return
    process.stdout.write(`\nNot run (${notRun.length}):\n`)
    for (const name of notRun) process.stdout.write(`  - ${name}\n`)
  },
}
