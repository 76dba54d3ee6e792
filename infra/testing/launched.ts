import { type ChildProcess, spawn } from 'node:child_process'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'

const MAIN = fileURLToPath(new URL('../launcher/main.ts', import.meta.url))

/** The last line of a start, for programs. */
export type Ready = {
  ready: boolean
  base_url: string
  secret_key: string
  public_key: string
  docs_url: string
  site_url: string
} & Record<'project_id' | 'live_audience' | 'test_audience', string>

/** A process of `npm start`. */
export interface Launched {
  readonly child: ChildProcess
  /** What it has printed. */
  output(): string
  readonly ended: Promise<{ code: number | null; stderr: string }>
}

/**
 * Starts what `npm start` starts, without the console.
 * @param environment its variables: none of the test runner's are set
 * @param flags such as `--no-demo`
 */
export function launch(environment: Record<string, string>, ...flags: string[]): Launched {
  // Not the environment of the test runner itself: it has a BASE_URL of its own, for one.
  const { PATH = '', HOME = '', TMPDIR = tmpdir(), NODE_COMPILE_CACHE = '' } = process.env
  const child = spawn(process.execPath, [MAIN, '--no-console', ...flags], {
    env: { PATH, HOME, TMPDIR, NODE_COMPILE_CACHE, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString()
  })
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString()
  })
  const ended = new Promise<{ code: number | null; stderr: string }>((resolve) => {
    child.once('close', (code) => resolve({ code, stderr }))
  })
  return { child, ended, output: () => stdout }
}

/** Waits until it serves. @throws Error where it ends before */
export async function ready(launched: Launched): Promise<Ready> {
  let over: string | undefined
  launched.ended.then(({ stderr }) => (over = stderr)).catch(() => undefined)
  for (;;) {
    // A line may come in parts.
    const last = launched.output().split('\n').at(-2) ?? ''
    if (last.startsWith('{')) return JSON.parse(last) as Ready
    if (over !== undefined) throw new Error(`npm start ended: ${over}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
