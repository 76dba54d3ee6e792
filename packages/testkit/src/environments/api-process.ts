import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { compileCache } from '../compile-cache.ts'
import type { TestDatabase } from '../database.ts'
import { freePort } from '../servers/free-port.ts'

const MAIN = fileURLToPath(new URL('../../../../apps/api/src/main.ts', import.meta.url))
const START_MS = 90_000

/** The API as a process of its own, started like an operator starts it. */
export interface ApiProcess {
  readonly url: string
  readonly pid: number
  /** Asks it to stop. @returns its exit code, or null where it had to be killed */
  stop(signal?: NodeJS.Signals): Promise<number | null>
}

/** Starts the API on a database, and waits until it is ready. @throws Error with what it printed, where it ends instead */
export async function startApiProcess(
  database: Pick<TestDatabase, 'url' | 'secretKey'>,
  environment: Readonly<Record<string, string>> = {},
): Promise<ApiProcess> {
  const port = environment['PORT'] ?? (await freePort())
  const url = `http://127.0.0.1:${port}`
  const child = spawn(process.execPath, [MAIN], {
    env: {
      ...compileCache,
      DATABASE_URL: database.url,
      SECRET_KEY: database.secretKey,
      PORT: String(port),
      LOG_LEVEL: 'warn',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (printed += chunk))
  const ended = once(child, 'exit') as Promise<[number | null]>
  // A worker that ends takes its children with it.
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)

  const deadline = Date.now() + START_MS
  while (!(await isReady(url))) {
    if (child.exitCode !== null || Date.now() > deadline) {
      kill()
      throw new Error(`the API did not start: ${printed}`)
    }
    await new Promise((resolve) => setTimeout(resolve, 30))
  }
  return {
    url,
    pid: child.pid ?? 0,
    stop: async (signal = 'SIGTERM') => {
      child.kill(signal)
      const [code] = await ended
      process.off('exit', kill)
      return code
    },
  }
}

const isReady = (url: string) =>
  fetch(`${url}/readyz`).then(
    (response) => response.ok,
    () => false,
  )
