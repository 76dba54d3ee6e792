import { execFile } from 'node:child_process'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, expect, test } from 'vitest'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../../', import.meta.url))
const tsc = join(root, 'node_modules/typescript/bin/tsc')

/** An empty project that has installed what `npm pack` ships. */
let project: string

beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), 'guildhall-sdk-'))
  const packed = ['pack', '--silent', '--pack-destination', project]
  await run('npm', packed, { cwd: join(root, 'packages/sdk') })
  const [archive = ''] = (await readdir(project)).filter((name) => name.endsWith('.tgz'))
  await writeFile(join(project, 'package.json'), '{"type":"module","private":true}')
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', `./${archive}`], { cwd: project })
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

test('what npm pack ships is understood by TypeScript with node16 and with bundler, and runs', async () => {
  await writeFile(join(project, 'program.ts'), PROGRAM)
  const types = `--types node --typeRoots ${join(root, 'node_modules/@types')}`.split(' ')
  const common = [
    '--strict',
    '--exactOptionalPropertyTypes',
    '--skipLibCheck',
    'false',
    '--target',
    'es2022',
    ...types,
  ]
  await run(
    process.execPath,
    [...[tsc, ...common, '--module', 'esnext', '--moduleResolution', 'bundler', '--noEmit', 'program.ts']],
    { cwd: project },
  )
  await run(process.execPath, [tsc, ...common, '--module', 'node16', 'program.ts'], { cwd: project })
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
  await new Promise((resolve) => server.once('listening', resolve))
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { stdout } = await run(process.execPath, ['program.js'], { cwd: project, env: { API: address } })
  server.close()
  expect(stdout.trim()).toBe(`a@example.com true ${address}/docs/errors/EMAIL_TAKEN`)
})

test('a browser loads at most 8 kB of it, compressed', async () => {
  const entry = join(project, 'entry.js')
  await writeFile(entry, "export { createClient, MemberSession } from '@guildhall/sdk'\n")
  const bundle = await rolldown({ input: entry })
  const { output } = await bundle.generate({ minify: true })
  const size = gzipSync(output[0].code, { level: 9 }).length
  expect(size).toBeLessThan(8_192)
})
