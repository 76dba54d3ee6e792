import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { VERSION } from '#platform/version.ts'
import { compileCache } from '#testkit/compile-cache.ts'
import { type JobsEnvironment, startJobsEnvironment } from '#testkit/environments/jobs-environment.ts'
import { freePort } from '#testkit/servers/free-port.ts'
import { SOON } from '#testkit/soon.ts'

const MAIN = fileURLToPath(new URL('./main.ts', import.meta.url))

let env: JobsEnvironment
beforeAll(async () => {
  env = await startJobsEnvironment('postgres', { LOG_LEVEL: 'info' })
})
afterAll(() => env.close())

interface Run {
  readonly child: ChildProcess
  output: string
  readonly ended: Promise<number | null>
}

function run(args: string[], environment: Record<string, string> = {}): Run {
  const child = spawn(process.execPath, [MAIN, ...args], {
    env: { ...compileCache, ...env.environment, ...environment },
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const ended = once(child, 'exit').then(([code]) => code as number | null)
  const running: Run = { child, output: '', ended }
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => {
      running.output += chunk
    })
  return running
}

test('it serves its lanes, says how it is, and ends in order', async () => {
  const port = await freePort()
  const worker = run(['--lanes', 'mail, exports'], { WORKER_PORT: String(port) })
  const get = async (path: string) => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`)
    return { status: answer.status, text: await answer.text() }
  }
  await vi.waitFor(
    async () =>
      expect(await get('/healthz')).toEqual({ status: 200, text: `{"status":"ok","version":"${VERSION}"}` }),
    SOON,
  )
  await vi.waitFor(async () => {
    const { text } = await get('/metrics')
    expect(text).toMatch(/^guildhall_outbox_age_seconds 0$/m)
    const measured = Number(/^guildhall_measured_timestamp_seconds (\S+)$/m.exec(text)?.[1])
    expect(Math.abs(Date.now() / 1_000 - measured)).toBeLessThan(60)
    expect(text).toMatch(/^guildhall_oldest_due_seconds\{lane="exports"\} 0$/m)
    expect(text).not.toMatch(/^guildhall_(oldest_due_seconds|in_flight)\{lane="webhooks"\}/m)
  }, SOON)
  expect((await get('/other')).status).toBe(404)
  worker.child.kill('SIGTERM')
  expect(await worker.ended).toBe(0)
  expect(worker.output).toContain('"lanes":["exports","mail"]')
})

test('a worker that never reached its database is not healthy, and measures nothing', async () => {
  const port = await freePort()
  const url = new URL(env.environment.DATABASE_URL ?? '')
  url.pathname = '/there_is_none'
  run([], { WORKER_PORT: String(port), DATABASE_URL: url.href })
  const get = (path: string) => fetch(`http://127.0.0.1:${port}${path}`)
  await vi.waitFor(async () => expect((await get('/healthz')).status).toBe(503), SOON)
  expect(await (await get('/metrics')).text()).toMatch(/^guildhall_measured_timestamp_seconds 0$/m)
})

test('a wrong start is one sentence and exit code 1', async () => {
  const cases: [string[], Record<string, string>, string][] = [
    [['--lanes', 'mail,post'], {}, '--lanes: unknown lane "post". Known: webhooks, slow,'],
    [['--lane', 'mail'], {}, "Unknown option '--lane'"],
    [[], { WORKER_PORT: 'high' }, 'WORKER_PORT is "high": expected the port'],
  ]
  for (const [args, environment, sentence] of cases) {
    const worker = run(args, environment)
    expect(await worker.ended).toBe(1)
    expect(worker.output).toContain(sentence)
    expect(worker.output.trim().split('\n')).toHaveLength(1)
  }
})
