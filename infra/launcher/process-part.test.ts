import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, inject, test, vi } from 'vitest'
import { SOON } from '#testkit/soon.ts'
import { freePort, portProblem } from '../ports.ts'
import type { Part } from './part.ts'
import { supervised } from './process-part.ts'

/** A server that dies when it is asked to, and says so in the form of our logs. */
const SCRIPT = `
import { createServer } from 'node:http'
if (process.env.REFUSE) {
  console.log(JSON.stringify({ level: 60, msg: 'I will not' }))
  process.exit(3)
}
createServer((request, response) => {
  if (request.url === '/die') process.exit(9)
  response.end(String(process.pid))
}).listen(Number(process.env.PORT), '127.0.0.1')
`

let folder = ''
let port = 0
let part: Part

beforeEach(async () => {
  folder = await mkdtemp(join(inject('servers').runFolder, 'part-'))
  port = await freePort()
  await writeFile(join(folder, 'server.mjs'), SCRIPT)
  part = supervised({
    name: 'api',
    script: join(folder, 'server.mjs'),
    logs: folder,
    isReady: async () => (await ask('/')) !== undefined,
  })
})

afterEach(async () => {
  vi.restoreAllMocks()
  await part.stop(1_000)
  await rm(folder, { recursive: true, force: true })
})

async function ask(path: string): Promise<string | undefined> {
  return fetch(`http://127.0.0.1:${port}${path}`).then(
    (answer) => answer.text(),
    () => undefined,
  )
}

test('a process that dies is started again, and the terminal and its log say so', async () => {
  const terminal = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  await part.start({ PORT: String(port) })
  const first = await ask('/')
  await ask('/die')
  await vi.waitFor(async () => expect(await ask('/')).toMatch(/^\d+$/), SOON)
  expect(await ask('/')).not.toBe(first)
  const complaint = expect.stringContaining('ended unexpectedly (exit code 9)')
  expect(terminal).toHaveBeenCalledExactlyOnceWith(complaint)
  expect(await readFile(join(folder, 'api.log'), 'utf8')).toEqual(complaint)
})

test('a process that never comes up fails the start with its own last words', async () => {
  await expect(part.start({ PORT: String(port), REFUSE: 'yes' })).rejects.toThrow(
    /^The api process did not start: I will not \(its log: /,
  )
})

test('a stopped process stays stopped', async () => {
  await part.start({ PORT: String(port) })
  await part.stop(1_000)
  await new Promise((resolve) => setTimeout(resolve, 500))
  expect(await portProblem('127.0.0.1', port)).toBeUndefined()
})
