import { execFile, spawn } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { areas } from '#areas/areas.ts'
import { LANES } from '#platform/jobs/queues/lanes.ts'
import { startWorker } from '#platform/jobs/worker.ts'
import { parseConfig } from '#platform/parse-config.ts'
import { makeWorkerDeps } from '#platform/worker-deps.ts'
import { workerEnvironment } from '#testkit/areas/member-imports.ts'
import { openStorage, type StorageEnvironment } from '#testkit/areas/storage/files.ts'
import { freePort } from '#testkit/servers/free-port.ts'
import { SOON } from '#testkit/soon.ts'
import { makeDemo } from '../apps/cli/src/seed.ts'
import { mailCatcher } from './launcher/mail-part.ts'
import type { Part } from './launcher/part.ts'

// What the README and the guides tell their readers to run is run here, as it is written there.

const ROOT = fileURLToPath(new URL('../', import.meta.url))

let env: StorageEnvironment
let stopWorker: () => Promise<void>
let folder: string
let mails: Part
let receiverPort: number
let demo: Awaited<ReturnType<typeof makeDemo>>

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'guildhall-readme-'))
  mails = mailCatcher(folder, 'guildhall@localhost')
  const mailbox = await mails.start({})
  env = await openStorage({ ALLOW_PRIVATE_NETWORKS: '127.0.0.0/8,::1', ...mailbox })
  const deps = makeWorkerDeps(
    parseConfig({
      ...workerEnvironment(env.api, env.s3),
      ...mailbox,
      LEASE_MS: '10000',
      ALLOW_PRIVATE_NETWORKS: '127.0.0.0/8,::1',
    }),
  )
  const worker = startWorker({ deps, areas, lanes: LANES, finishMs: 2_000 })
  stopWorker = async () => {
    await worker.stop()
    await deps.close()
  }
  receiverPort = await freePort()
  // A reader runs the blocks in the folder of the checkout, beside the keys that `npm start` has written.
  await mkdir(join(folder, '.data'))
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  // With all that the demo project has: a block that takes one of its names fails here as at a reader's.
  const { database } = env.api
  demo = await makeDemo({ databaseUrl: database.url, secretKey: database.secretKey })
  await writeFile(join(folder, '.data', 'demo-keys.json'), JSON.stringify({ embedded: demo }))
})
afterAll(async () => {
  await rm(folder, { recursive: true })
  await stopWorker()
  await env.close()
  await mails.stop(1_000)
})

/** A block with the servers of this test in place of those of `npm start`, and a port of its own for the receiver. */
const forThisTest = (text: string): string =>
  text
    .replaceAll('http://127.0.0.1:3000', env.api.url)
    .replace('{ issuer, audience,', `{ issuer: '${env.api.config.BASE_URL}', audience,`)
    .replaceAll('4000', String(receiverPort))
    .replaceAll('npm run -s guildhall --', `node ${ROOT}apps/cli/src/main.ts`)

interface Block {
  readonly language: string
  readonly text: string
  readonly saveAs: string | undefined
}

/** The blocks of a page, from the first to the last. @param path from the root */
async function blocksOf(path: string): Promise<Block[]> {
  const page = await readFile(join(ROOT, path), 'utf8')
  return [...page.matchAll(/([^\n]*)\n\n```(\w+)\n(.*?)^```$/gms)].map(
    ([, before, language = '', text = '']) => ({
      language,
      text: forThisTest(text),
      saveAs: /Save this as `([\w.]+)`[^\n]*$/.exec(before ?? '')?.[1],
    }),
  )
}

/** The script of the receiver. */
const receiverBlock = async () =>
  (await blocksOf('docs/guides/receive-webhooks.md')).find(({ saveAs }) => saveAs === 'receiver.mjs')?.text ??
  ''

/** Marks where the output of a block ends. */
const END = '---- end of a block ----'

/** What the blocks of each page print at least, in order. */
const PRINTED: readonly (readonly [path: string, printed: readonly (string | RegExp)[]])[] = [
  ['README.md', ['"by_status"', '"deleted":true', '"refresh_token"', /mem_\w+ member/]],
  ['docs/guides/first-member.md', ['', 'mem_', 'Taipei', 'member.updated', '"deleted":true']],
  ['docs/guides/magic-link.md', ['', '"success":true', '', 'noor@example.com']],
  ['docs/guides/receive-webhooks.md', [' webhook.test']],
  ['docs/guides/sell-a-book.md', ['', '', '"item"', '"status":"paid"']],
  ['docs/guides/run-a-board.md', ['', 'workshop', '', '<strong>bevelled</strong>']],
  [
    'docs/guides/keep-order.md',
    ['"square"', '"succeeded":1', '"approved"', '"hold"', '"was_suspended":true', '"deleted":true'],
  ],
  ['docs/guides/give-a-course.md', ['', '', '', '"progress_percentage":100']],
  ['docs/guides/gate-pages.md', ['', '"/library/**"', '"allowed":true', '"manifest"']],
  ['docs/guides/measure-a-site.md', ['"success":true', '"pageviews"']],
  ['docs/guides/form-with-file.md', ['ada@example.com']],
  ['docs/guides/import-members.md', ['no address']],
]

/** Runs the blocks of a page in one shell, as a reader does. @returns what each block printed */
async function run(path: string): Promise<string[]> {
  const steps: string[] = []
  for (const { language, text, saveAs } of await blocksOf(path)) {
    if (saveAs !== undefined) await writeFile(join(folder, saveAs), text)
    // The two commands start what this test has started already, and this test.
    if (language === 'sh' && !text.includes('npm test')) steps.push(text)
  }
  const { stdout } = await promisify(execFile)(
    'bash',
    ['-euo', 'pipefail', '-c', steps.join(`\necho '${END}'\n`)],
    {
      cwd: folder,
      timeout: 100_000,
      env: {
        PATH: `${join(process.execPath, '..')}:/usr/local/bin:/usr/bin:/bin`,
        DATABASE_URL: env.api.database.url,
        SECRET_KEY: env.api.database.secretKey,
      },
    },
  )
  expect(stdout).not.toContain('"success":false')
  return stdout.split(END)
}

describe('what readers copy', () => {
  test.each(PRINTED)('%s runs from its first block to its last, in one shell', async (path, wanted) => {
    const printed = await run(path)
    expect(printed).toHaveLength(wanted.length)
    for (const [index, text] of wanted.entries()) expect(printed[index]).toMatch(text)
  })

  test('members of the demo project have names beside their posts', async () => {
    const answer = await fetch(`${env.api.url}/api/v1/discussions?include=author`, {
      headers: { authorization: `Bearer ${demo.secretKey}` },
    })
    // The guides have written posts of members of theirs before.
    expect((await answer.text()).match(/"display_name":"[^"]+"/g)).toEqual(
      expect.arrayContaining(['"display_name":"Ada"', '"display_name":"Grace"']),
    )
  })

  test('the receiver takes messages with a right signature, and no others', async () => {
    const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
    const port = await freePort()
    const file = join(folder, 'receiver-alone.mjs')
    await writeFile(file, await receiverBlock())
    const receiver = spawn(process.execPath, [file], { env: { WEBHOOK_SECRET: secret, PORT: String(port) } })
    try {
      const body = JSON.stringify({ type: 'member.created', timestamp: new Date().toISOString(), data: {} })
      const send = (at: Date, sent = body) =>
        fetch(`http://127.0.0.1:${port}/`, {
          method: 'POST',
          body: sent,
          headers: {
            'webhook-id': 'evt_1',
            'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
            'webhook-signature': new Webhook(secret).sign('evt_1', at, body),
          },
        }).then(({ status }) => status)
      await vi.waitFor(async () => expect(await send(new Date())).toBe(204), SOON)
      expect(await send(new Date(), body.replace('created', 'deleted'))).toBe(400)
      expect(await send(new Date(Date.now() - 600_000))).toBe(400)
    } finally {
      receiver.kill()
    }
  })

  test('the receiver has 20 lines', async () => {
    const lines = (await receiverBlock()).split('\n').filter((line) => line.trim() !== '')
    expect(lines.length).toBeLessThanOrEqual(20)
  })
})
