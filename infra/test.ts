/** `npm test`: the checks, then every suite on real servers. Arguments go to vitest. */
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { endChild } from './processes.ts'
import { clearRunFolder, makeRunFolder } from './testing/run-folder.ts'

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url))
const runFolder = await makeRunFolder()
let current: ReturnType<typeof spawn> | undefined
let interrupted = false

/** Runs a step and answers its exit code. In a process group of its own, so that it sees one signal, not two. */
function step(...args: string[]): Promise<number> {
  if (interrupted) return Promise.resolve(130)
  current = spawn(process.execPath, args, {
    cwd: path('..'),
    env: { ...process.env, GUILDHALL_TEST_FOLDER: runFolder },
    stdio: ['ignore', 'inherit', 'inherit'],
    detached: true,
  })
  const child = current
  return new Promise((resolve) => {
    child.once('error', () => resolve(1))
    child.once('exit', (code) => resolve(code ?? 130))
  })
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    if (interrupted) return
    interrupted = true
    if (current) endChild(current, 'SIGINT', 'SIGKILL', 5_000).catch(() => undefined)
  })
}

let exitCode = await step(path('check/main.ts'))
if (exitCode === 0)
  exitCode = await step(path('../node_modules/vitest/vitest.mjs'), 'run', ...process.argv.slice(2))
// Vitest clears up after itself; this is for when it was not given the time to.
await clearRunFolder(runFolder)
process.exitCode = interrupted ? 130 : exitCode
