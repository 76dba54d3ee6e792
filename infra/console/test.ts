/** `npm run console:test`: builds the console, checks its types, then goes through it in a browser. Arguments go to vitest. */
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { buildConsole } from './build.ts'

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url))

/** @returns the exit code */
const run = (cwd: string, ...args: string[]): Promise<number> =>
  new Promise((resolve) => {
    spawn(process.execPath, args, { cwd, stdio: ['ignore', 'inherit', 'inherit'] })
      .once('error', () => resolve(1))
      .once('exit', (code) => resolve(code ?? 130))
  })

await buildConsole()
const types = await run(path('../../apps/console'), 'node_modules/typescript/bin/tsc', '-p', 'tsconfig.json')
const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'infra/console/vitest.config.ts']
process.exitCode = types || (await run(path('../../'), ...vitest, ...process.argv.slice(2)))
