/** Closes a run with one plain line that a machine can read: `5248 passed, 0 failed, 13 skipped`. */
import type { Reporter, TestModule } from 'vitest/node'

/** A vitest reporter; it comes after vitest's own. */
export const closingLineReporter: Reporter = {
  onTestRunEnd(modules: ReadonlyArray<TestModule>) {
    const count = (state: 'passed' | 'failed' | 'skipped') =>
      modules.reduce((sum, module) => sum + [...module.children.allTests(state)].length, 0)
    // A file that cannot be loaded has no tests to count.
    const broken = modules.filter((module) => module.errors().length > 0).length
    process.stdout.write(
      `\n${count('passed')} passed, ${count('failed') + broken} failed, ${count('skipped')} skipped\n`,
    )
  },
}
