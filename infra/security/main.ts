/**
 * `npm run security [-- --fuzz <seconds> | --money <walks> | --plans <rows>] [--seed <number>]`: runs every test of docs/security.md and prints
 * its table. With `--fuzz`, requests made from the OpenAPI document are sent for so long, with a new seed for each round. With
 * `--money`, that many random walks are made through subscriptions, bills, payments and orders, by hand and by card. With `--plans`, what every
 * statement reads is counted in a project of that many rows in each table. `npm run security -- neighbours` is in `neighbours/run.ts`.
 */
import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { env } from 'node:process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { readRequirements } from './requirements.ts'
import { type Ran, verdictOf } from './verdict.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const VITEST = join(ROOT, 'node_modules/vitest/vitest.mjs')
const FUZZ = 'packages/areas/catalog/fuzz.test.ts'
const PLANS = 'packages/areas/catalog/plans.test.ts'
const MONEY = 'packages/areas/src/billing/money-walks.test.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: 'string' },
    only: { type: 'string' },
    profile: { type: 'boolean' },
    fuzz: { type: 'string' },
    money: { type: 'string' },
    plans: { type: 'string' },
    seed: { type: 'string' },
  },
})

/** Runs test files. @returns the exit code */
function runTests(files: readonly string[], environment: Record<string, string>, ...more: string[]) {
  const child = spawn(process.execPath, [VITEST, 'run', ...files, ...more], {
    cwd: ROOT,
    env: { ...env, ...environment },
    stdio: 'inherit',
  })
  return new Promise<number>((resolve) => child.once('exit', (code) => resolve(code ?? 130)))
}

interface Report {
  testResults: { name: string; assertionResults: { fullName: string; status: string }[] }[]
}

/** Runs every test file of the table. */
async function runAll(files: readonly string[]): Promise<Ran[]> {
  const folder = await mkdtemp(join(tmpdir(), 'guildhall-security-'))
  try {
    const outputFile = join(folder, 'report.json')
    await runTests(files, {}, '--reporter=default', '--reporter=json', `--outputFile.json=${outputFile}`)
    const { testResults } = JSON.parse(await readFile(outputFile, 'utf8')) as Report
    return testResults.flatMap(({ name, assertionResults }) =>
      assertionResults.map((each) => ({ ...each, file: relative(ROOT, name) })),
    )
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

if (positionals[0] === 'neighbours') {
  const { runNeighbours } = await import('./neighbours/run.ts')
  const harmed = await runNeighbours(values)
  process.stdout.write(harmed === 0 ? 'Nobody was harmed.\n' : `${harmed} of them harm a neighbour.\n`)
  process.exitCode = harmed === 0 ? 0 : 1
} else if (values.fuzz !== undefined) {
  const seed = values.seed ?? String(Math.floor(Date.now() / 1_000))
  process.exitCode = await runTests([FUZZ], {
    GUILDHALL_FUZZ_SECONDS: values.fuzz,
    GUILDHALL_FUZZ_SEED: seed,
  })
} else if (values.money !== undefined) {
  const environment = { GUILDHALL_MONEY_WALKS: values.money, GUILDHALL_MONEY_SEED: values.seed ?? '0' }
  process.exitCode = await runTests([MONEY], environment)
} else if (values.plans !== undefined) {
  process.exitCode = await runTests([PLANS], { GUILDHALL_PLANS_ROWS: values.plans })
} else {
  const requirements = await readRequirements(ROOT)
  const files = [...new Set(requirements.flatMap(({ tests }) => tests.map(({ file }) => file)))]
  const ran = await runAll(files)
  let short = 0
  for (const requirement of requirements) {
    const verdict = verdictOf(requirement, ran)
    if (verdict === 'FAILED' || verdict === 'NOT RUN') short += 1
    process.stdout.write(`${verdict.padEnd(10)} ${requirement.title.padEnd(48)} ${requirement.means}\n`)
  }
  process.stdout.write(short === 0 ? 'Nothing falls short.\n' : `${short} of them fall short.\n`)
  process.exitCode = short === 0 ? 0 : 1
}
