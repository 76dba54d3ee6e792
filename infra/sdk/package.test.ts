import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../../', import.meta.url))
const tsc = join(root, 'node_modules/typescript/bin/tsc')

/** An empty project that has installed what `npm pack` ships. */
let project: string
/** Whether the other compiler and the other runtime came from the registry. */
let hasOthers: boolean
const OTHERS = ['typescript@5.9.3', 'bun@1.4.5']

beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), 'guildhall-sdk-'))
  const packed = ['pack', '--silent', '--pack-destination', project]
  await run('npm', packed, { cwd: join(root, 'packages/sdk') })
  const [archive = ''] = (await readdir(project)).filter((name) => name.endsWith('.tgz'))
  await writeFile(join(project, 'package.json'), '{"type":"module","private":true}')
  const install = (...more: string[]) =>
    run('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...more, `./${archive}`], {
      cwd: project,
    })
  hasOthers = await install('--prefer-offline', '--fetch-retries=0', ...OTHERS).then(
    () => true,
    () => false,
  )
  if (!hasOthers) await install('--offline')
})

afterAll(() => rm(project, { recursive: true }))

const PROGRAM = `
import { createClient, isErrorOf, verifyWebhook } from '@guildhall/sdk'

const guildhall = createClient({ baseUrl: process.env['API'] ?? '', key: 'svc_sk_test_x' })
const emails: string[] = []
for await (const member of guildhall.members.list({ status: 'active', metadata: { company: 'x' } })) emails.push(member.email)
try {
  await guildhall.members.create({ email: 'ada@example.com' })
} catch (error) {
  if (!isErrorOf('members.create', error)) throw error
  const taken: boolean = error.code === 'EMAIL_TAKEN'
  console.log(emails.join(), taken, error.docs)
}
// @ts-expect-error a word that nobody knows is no filter
const wrong = () => guildhall.members.list({ status: 'frozen' })
export const checked = async (body: string, headers: Headers) => {
  const event = await verifyWebhook(body, headers, 'whsec_x')
  return event.type === 'member.deleted' ? event.data.id : wrong
}
`

/** The options of a strict project, without a file of them. */
const OPTIONS = [
  ...['--strict', '--exactOptionalPropertyTypes', '--skipLibCheck', 'false', '--target', 'es2022'],
]
const NODE = ['--types', 'node', '--typeRoots', join(root, 'node_modules/@types')]
const RESOLUTIONS = [
  ['--module', 'esnext', '--moduleResolution', 'bundler', '--noEmit'],
  ['--module', 'node16'],
]

/** Checks the program, and writes it as JavaScript where the resolution says so. */
const check = (compiler: string, ...options: readonly string[]) =>
  run(process.execPath, [compiler, ...OPTIONS, ...options], { cwd: project })

/** Runs the built program by a runtime, against a server in place of the API. @returns what it prints */
async function runProgram(runtime: string): Promise<{ printed: string; address: string }> {
  const server = createServer((request, response) => {
    const isList = request.method === 'GET'
    response.writeHead(isList ? 200 : 409, { 'content-type': 'application/json' })
    const list = {
      success: true,
      data: [{ email: 'a@example.com' }],
      pagination: { limit: 20, next_cursor: null },
    }
    response.end(JSON.stringify(isList ? list : { success: false, error: 'Taken', code: 'EMAIL_TAKEN' }))
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const env = { ...process.env, API: address }
  const { stdout } = await run(runtime, ['program.js'], { cwd: project, env })
  return { printed: stdout.trim(), address }
}

test('what npm pack ships is understood by TypeScript with node16 and with bundler, and runs', async () => {
  await writeFile(join(project, 'program.ts'), PROGRAM)
  for (const resolution of RESOLUTIONS) await check(tsc, ...NODE, ...resolution, 'program.ts')
  const { printed, address } = await runProgram(process.execPath)
  expect(printed).toBe(`a@example.com true ${address}/docs/errors/EMAIL_TAKEN`)
})

test('TypeScript 5 understands it too', async ({ skip }) => {
  skip(!hasOthers, 'the registry cannot be reached')
  const compiler = join(project, 'node_modules/typescript/bin/tsc')
  // Without the types of Node, whose check takes longer than that of the library.
  await writeFile(
    join(project, 'older.ts'),
    `declare const process: { env: Record<string, string> }\n${PROGRAM}`,
  )
  for (const resolution of RESOLUTIONS) await check(compiler, ...resolution, 'older.ts')
})

test('Bun runs it as Node does', async ({ skip }) => {
  skip(!hasOthers, 'the registry cannot be reached')
  // Its own package is a script that finds this one.
  const builds = join(project, 'node_modules/@oven')
  const [build = ''] = await readdir(builds)
  const { printed, address } = await runProgram(join(builds, build, 'bin/bun'))
  expect(printed).toBe(`a@example.com true ${address}/docs/errors/EMAIL_TAKEN`)
})

test('a browser loads at most 8 kB of it, compressed', async () => {
  const entry = join(project, 'entry.js')
  await writeFile(entry, "export { createClient, MemberSession } from '@guildhall/sdk'\n")
  const bundle = await rolldown({ input: entry })
  const { output } = await bundle.generate({ minify: true })
  const size = gzipSync(output[0].code, { level: 9 }).length
  expect(size).toBeLessThan(8_192)
})
