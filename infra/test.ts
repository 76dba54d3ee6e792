/**
 * `npm test`: the checks, then every suite on real servers but that of a release, which `npm run release:test` runs alone.
 * Arguments go to vitest.
 */
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { groupIsAlive, signalGroup } from './processes.ts'
import { clearRunFolder, makeRunFolder } from './testing/run-folder.ts'

/** What was interrupted may stop its own servers for this long. */
const GRACE = 6_000

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url))
const runFolder = await makeRunFolder()
let group: number | undefined
let interrupted = false

/** Runs a step and answers its exit code, once everything that the step has started is gone. */
async function step(...args: string[]): Promise<number> {
  if (interrupted) return 130
  // In a process group of its own, which can be interrupted, waited for and swept as a whole.
  const child = spawn(process.execPath, args, {
    cwd: path('..'),
    env: { ...process.env, GUILDHALL_TEST_FOLDER: runFolder },
    stdio: ['ignore', 'inherit', 'inherit'],
    detached: true,
  })
  group = child.pid
  const exitCode = await new Promise<number>((resolve) => {
    child.once('error', () => resolve(1))
    child.once('exit', (code) => resolve(code ?? 130))
  })
  if (group !== undefined) await sweep(group)
  group = undefined
  return exitCode
}

async function sweep(leader: number): Promise<void> {
  const deadline = Date.now() + GRACE
  while (groupIsAlive(leader) && Date.now() < deadline)
    await new Promise((resolve) => setTimeout(resolve, 50))
  signalGroup(leader, 'SIGKILL')
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    // A Ctrl-C comes twice: from the terminal, and passed on by npm.
    if (interrupted || group === undefined) return
    interrupted = true
    const leader = group
    signalGroup(leader, 'SIGINT')
    setTimeout(() => signalGroup(leader, 'SIGKILL'), GRACE).unref()
  })
}

const vitest = path('../node_modules/vitest/vitest.mjs')
const [first, ...rest] = process.argv.slice(2)
let exitCode = 0
if (first === 'release') exitCode = await step(vitest, 'run', '--project=release', ...rest)
else {
  exitCode = await step(path('check/main.ts'))
  if (exitCode === 0) exitCode = await step(vitest, 'run', '--project=!release', ...process.argv.slice(2))
}
// Vitest clears up after itself; this is for when it was not given the time to.
await clearRunFolder(runFolder)
process.exitCode = interrupted ? 130 : exitCode
