import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
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

/** Makes of a package what npm publishes. @returns the name of the archive in the project */
async function pack(name: 'sdk' | 'elements' | 'edge'): Promise<string> {
  await run('npm', ['pack', '--silent', '--pack-destination', project], {
    cwd: join(root, 'packages', name),
  })
  const archive = (await readdir(project)).find((file) => file.startsWith(`guildhall-${name}-`))
  if (archive === undefined) throw new Error(`npm pack made nothing of ${name}`)
  return archive
}

/** Installs into the project. */
const install = (...what: string[]) =>
  run('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...what], { cwd: project })

beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), 'guildhall-sdk-'))
  const archive = await pack('sdk')
  await writeFile(join(project, 'package.json'), '{"type":"module","private":true}')
  hasOthers = await install('--prefer-offline', '--fetch-retries=0', ...OTHERS, `./${archive}`).then(
    () => true,
    () => false,
  )
  if (!hasOthers) await install('--offline', `./${archive}`)
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

const SITE = `
import { connect, type GuildhallLogin } from '@guildhall/elements'
import '@guildhall/elements/account'
import { createGate } from '@guildhall/edge'

const element: GuildhallLogin | null = document.querySelector('guildhall-login')
const name = async () => {
  const { guildhall } = connect({ api: 'https://api.example.com', key: 'svc_pk_test_x' })
  return (await guildhall.user.profile.get()).full_name satisfies string
}
element?.addEventListener('guildhall:login', ({ detail }) => console.log(detail.member.email.length))
document.addEventListener('guildhall:payment', (event) => console.log(event.detail.payment.client_secret))
// @ts-expect-error a comment has no member
document.addEventListener('guildhall:comment', (event) => event.detail.member)
// @ts-expect-error a gate has to know its API
const wrong = () => createGate({ key: 'svc_sk_test_x' })
export { element, name, wrong }
`

test('what npm pack ships of the elements and of the gate is understood too, has no file of an earlier build, a server may import an element, and the gate runs', async () => {
  const chunks = join(root, 'packages/elements/dist/chunks')
  await mkdir(chunks, { recursive: true })
  await writeFile(join(chunks, 'earlier.js'), '')
  const archives = [await pack('elements'), await pack('edge')]
  await install('--offline', ...archives.map((archive) => `./${archive}`))
  await writeFile(join(project, 'site.ts'), SITE)
  for (const resolution of RESOLUTIONS)
    await check(tsc, '--lib', 'es2023,dom,dom.iterable,dom.asynciterable', ...resolution, 'site.ts')
  const installed = join(project, 'node_modules/@guildhall')
  expect(await readdir(join(installed, 'elements/dist/chunks'))).not.toContain('earlier.js')
  const entries = ['elements', 'login', 'account', 'form', 'feedback', 'comments'].map((name) => `${name}.js`)
  expect(await readdir(join(installed, 'elements/dist'))).toEqual(expect.arrayContaining(entries))
  await writeFile(
    join(project, 'gate.js'),
    `import { configure } from '@guildhall/elements/login'
    configure({ api: 'https://api.example.com', key: 'svc_pk_test_x' })
    import { createGate } from '@guildhall/edge'
    const gate = createGate({ baseUrl: 'http://127.0.0.1:1', key: 'svc_sk_test_x' })
    const { status } = await gate.handle(new Request('https://example.com/a'), async () => new Response('page'))
    console.log(status)`,
  )
  const { stdout } = await run(process.execPath, ['gate.js'], { cwd: project })
  expect(stdout.trim()).toBe('503')
})
