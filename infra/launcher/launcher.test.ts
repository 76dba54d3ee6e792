import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest'
import { ownTime } from '#testkit/own-time.ts'
import { freePort, portProblem } from '../ports.ts'
import { processIdentity } from '../processes.ts'
import { type Launched, launch as launchAlone, ready } from '../testing/launched.ts'

let folder = ''
let started: Launched[] = []

beforeEach(async () => {
  folder = await mkdtemp(join(inject('servers').runFolder, 'launcher '))
  started = []
})

afterEach(async () => {
  for (const { child, ended } of started) {
    child.kill('SIGTERM')
    await ended
  }
  await rm(folder, { recursive: true, force: true })
})

const launch = (environment: Record<string, string>): Launched => {
  const launched = launchAlone(environment, '--no-demo')
  started.push(launched)
  return launched
}

describe('npm start', () => {
  // One data folder lives through all of this: making one takes longer than all else here.
  test('serves, refuses a second start, stops in time, comes back as it was, and recovers from having been killed', async () => {
    const port = await freePort()
    const place = { DATA_DIR: folder, PORT: String(port) }
    const launcher = launch(place)
    const first = await ready(launcher)
    expect(first).toMatchObject({ ready: true, base_url: `http://127.0.0.1:${port}` })
    const [forPeople] = launcher.output().split('\n{')
    for (const shown of [
      first.project_id,
      first.live_audience,
      first.test_audience,
      first.docs_url,
      'Next: ',
    ])
      expect(forPeople).toContain(shown)
    const headers = { authorization: `Bearer ${first.secret_key}` }
    const members = await fetch(`${first.base_url}/api/v1/members`, { headers })
    expect(members.status).toBe(200)
    // In a stall the storage does not answer in the time that a look takes.
    const readiness = async (): Promise<unknown> => (await fetch(`${first.base_url}/readyz`)).json()
    await expect.poll(readiness).toMatchObject({ dependencies: { s3: { ok: true } } })
    expect((await stat(join(folder, 'runtime.json'))).mode & 0o777).toBe(0o600)

    const second = await launch({ ...place, PORT: '0' }).ended
    expect(second).toEqual({ code: 1, stderr: expect.stringContaining('already runs on the data folder') })
    const beside = await launch({ PORT: String(port), DATA_DIR: join(folder, 'other') }).ended
    expect(beside).toEqual({
      code: 1,
      stderr: expect.stringContaining(`Port ${port} on 127.0.0.1 is already in use`),
    })

    const server = await runningPostgres(folder)
    launcher.child.kill('SIGINT')
    expect(await ownTime(() => launcher.ended)).toBeLessThan(5_000)
    const { code, stderr } = await launcher.ended
    expect(code).toBe(0)
    for (const part of ['api', 'worker', 'PostgreSQL']) expect(stderr).toContain(`Stopping ${part}.`)
    expect(processIdentity(server)).toBeUndefined()
    expect(await portProblem('127.0.0.1', port)).toBeUndefined()

    const again = launch(place)
    expect(await ready(again)).toEqual({
      ...first,
      console_url: expect.stringContaining('/console/start?token='),
    })
    again.child.kill('SIGKILL')
    await again.ended
    const recovered = launch({ ...place, PORT: '0' })
    expect(await ready(recovered)).toMatchObject({ secret_key: first.secret_key })
    recovered.child.kill('SIGTERM')
    await recovered.ended

    await rm(join(folder, 'postgres', 'cluster', 'PG_VERSION'))
    expect(await launch({ DATA_DIR: folder, PORT: '0' }).ended).toEqual({
      code: 1,
      stderr: expect.stringMatching(/^The database folder .* is broken .*\n$/),
    })
  }, 400_000)

  test.each([
    ['a wrong port', { PORT: 'http' }, /^PORT is "http": .*\n$/],
    [
      'a database that is not there',
      { DATABASE_URL: 'postgres://me:hush@127.0.0.1:1/mine' },
      /^The database at 127\.0\.0\.1:1\/mine cannot be reached: .*\n$/,
    ],
    [
      'a Redis that is not there',
      { REDIS_URL: 'redis://127.0.0.1:1' },
      /^Redis at 127\.0\.0\.1:1 cannot be reached .*\n$/,
    ],
  ])('%s is one sentence and exit code 1', async (_name, environment, sentence) => {
    const { code, stderr } = await launch({ DATA_DIR: folder, PORT: '0', ...environment }).ended
    expect(stderr).toMatch(sentence)
    expect(stderr).not.toContain('hush')
    expect(code).toBe(1)
  })

  test('a data folder that is a file is one sentence and exit code 1', async () => {
    const file = join(folder, 'file')
    await writeFile(file, '')
    const none = await launch({ DATA_DIR: file, PORT: '0' }).ended
    expect(none).toEqual({ code: 1, stderr: `The data folder ${file} cannot be used: it is not a folder.\n` })
  })

  test('a taken port is distinguished from a free one', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    const address = server.address()
    const port = typeof address === 'object' && address ? address.port : 0
    expect(await portProblem('127.0.0.1', port)).toBe('EADDRINUSE')
    server.close()
  })
})

async function runningPostgres(dataDir: string): Promise<number> {
  const pidFile = await readFile(join(dataDir, 'postgres', 'cluster', 'postmaster.pid'), 'utf8')
  return Number(pidFile.split('\n')[0])
}
