import { execFile, spawn } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { databaseUrl, dropDatabase, onServer } from '#testkit/database.ts'
import { freePort } from '#testkit/servers/free-port.ts'
import { SOON } from '#testkit/soon.ts'
import { SECRET_KEY as STRIPE_KEY, type StripeServer, startStripe } from '#testkit/stripe/server.ts'
import { buildCommand } from '../packages/cli/build.ts'
import { type Launched, launch, type Ready, ready } from './testing/launched.ts'

// What the README and the guides tell their readers to run is run here, as it is written there.

const ROOT = fileURLToPath(new URL('../', import.meta.url))

/** A fresh `npm start`, as a reader has one. */
let started: Launched
let start: Ready
let stripe: StripeServer
let folder: string
let receiverPort: number
/** For the guide that goes to production. */
let productionPort: number
let emptyDatabase: string

beforeAll(async () => {
  // A reader runs the blocks in the folder of the checkout, beside the keys that `npm start` has written.
  folder = await mkdtemp(join(inject('servers').runFolder, 'readme-'))
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  await symlink(join(ROOT, 'packages'), join(folder, 'packages'))
  await buildCommand(folder)
  stripe = await startStripe()
  receiverPort = await freePort()
  productionPort = await freePort()
  const { postgresUrl, prefix } = inject('servers')
  emptyDatabase = databaseUrl(postgresUrl, `${prefix}_production`)
  await onServer(postgresUrl, `create database ${prefix}_production`)
  started = launch({
    PORT: String(await freePort()),
    DATA_DIR: join(folder, '.data'),
    STRIPE_API_URL: stripe.url,
  })
  start = await ready(started)
}, 120_000)
afterAll(async () => {
  started.child.kill('SIGTERM')
  await started.ended
  await stripe.close()
  await dropDatabase(emptyDatabase)
  await rm(folder, { recursive: true })
})

/** A block with the servers of this test in place of the usual ones, and a port of its own for the receiver. */
const forThisTest = (text: string): string =>
  text
    .replaceAll('http://127.0.0.1:3000', start.base_url)
    .replaceAll('https://api.stripe.com', stripe.url)
    .replaceAll('4000', String(receiverPort))
    .replaceAll('postgres://owner:password@127.0.0.1:5432/guildhall', emptyDatabase)
    .replaceAll('3100', String(productionPort))
    .replaceAll('node apps/', `node ${ROOT}apps/`)
    .replaceAll('guildhall-cli ', `node ${folder}/guildhall-cli.js `)
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
  [
    'docs/guides/sell-a-subscription.md',
    ['', '', 'incomplete', 'succeeded', /active\nplan_/, 'renewal paid,first paid'],
  ],
  ['docs/guides/run-a-board.md', ['', 'workshop', '', '<strong>bevelled</strong>']],
  [
    'docs/guides/keep-order.md',
    ['"square"', '"succeeded":1', '"approved"', '"hold"', '"was_suspended":true', '"deleted":true'],
  ],
  ['docs/guides/files-of-posts.md', ['garden', '', '"content_type":"image/png"', 'file_']],
  ['docs/guides/give-a-course.md', ['', '', '', '"progress_percentage":100']],
  ['docs/guides/gate-pages.md', ['', '"/library/**"', '"allowed":true', '', '303 https://example.com/join']],
  ['docs/guides/elements.md', ['', '', 'site/elements/login.js']],
  ['docs/guides/measure-a-site.md', ['"success":true', '"pageviews"']],
  ['docs/guides/form-with-file.md', ['ada@example.com']],
  ['docs/guides/import-members.md', ['no address']],
  ['docs/guides/command-line.md', ['The secret key', 'ECONNREFUSED']],
  // Its account is the default: what is sold by hand comes before it.
  ['docs/guides/connect-stripe.md', ['"webhook_url"', '"success":true']],
  ['docs/guides/production.md', ['', '', '"ready"', '"by_status"', 'ended well']],
]

test('every guide is run', async () => {
  const guides = await readdir(join(ROOT, 'docs/guides'))
  const run = PRINTED.flatMap(([path]) => (path.startsWith('docs/guides/') ? [basename(path)] : []))
  // The list of the guides has nothing to run.
  expect(run.toSorted()).toEqual(guides.filter((name) => name !== 'README.md').toSorted())
})

/** Runs the blocks of a page in one shell, as a reader does. @returns what each block printed */
async function run(path: string): Promise<string[]> {
  const steps: string[] = []
  for (const { language, text, saveAs } of await blocksOf(path)) {
    if (saveAs !== undefined) await writeFile(join(folder, saveAs), text)
    // The two commands start what this test has started already, and this test.
    if (language === 'sh' && !text.includes('npm test')) steps.push(text)
  }
  // Bash takes a socket as its input for a remote log-in, and then reads the machine's bashrc.
  const { stdout } = await promisify(execFile)(
    'bash',
    ['--norc', '-euo', 'pipefail', '-c', steps.join(`\necho '${END}'\n`)],
    {
      cwd: folder,
      timeout: 100_000,
      env: {
        PATH: `${join(process.execPath, '..')}:/usr/local/bin:/usr/bin:/bin`,
        HOME: folder,
        DATA_DIR: join(folder, '.data'),
        STRIPE_KEY,
        STRIPE_PUBLISHABLE_KEY: 'pk_test_51Guildhall',
        STRIPE_WEBHOOK_SECRET: 'whsec_of_the_endpoint',
      },
    },
  ).catch((error) => {
    throw new Error(`${path} ended with ${error.code ?? error.signal}, after ${error.stdout}`, {
      cause: error,
    })
  })
  expect(stdout).not.toContain('"success":false')
  return stdout.split(END)
}

describe('what readers copy', () => {
  test.each(PRINTED)('%s runs from its first block to its last, in one shell', async (path, wanted) => {
    const printed = await run(path)
    expect(printed).toHaveLength(wanted.length)
    for (const [index, text] of wanted.entries()) expect(printed[index]).toMatch(text)
  })

  test('the demo site is built at the first visit, and its key works from its own origin only', async () => {
    const statusOf = async () => (await fetch(start.site_url)).status
    expect(await statusOf()).toBe(503)
    await expect.poll(statusOf).toBe(200)
    const page = await (await fetch(`${start.site_url}/form`)).text()
    const [, key = ''] = /key="(svc_pk_[^"]+)"/.exec(page) ?? []
    const [, form = ''] = /form="([^"]+)"/.exec(page) ?? []
    const askFrom = async (origin: string) => {
      const headers = { authorization: `Bearer ${key}`, origin }
      return (await fetch(`${start.base_url}/api/v1/forms/${form}/schema`, { headers })).status
    }
    expect(await askFrom(start.site_url)).toBe(200)
    expect(await askFrom('https://elsewhere.example')).toBe(403)
    expect((await fetch(`${start.site_url}/elements/login.js`)).headers.get('content-type')).toContain(
      'javascript',
    )
    expect((await fetch(`${start.site_url}/elements/..%2f..%2fsecret-key`)).status).toBe(404)
  })

  test('members of the demo project have names beside their posts', async () => {
    const answer = await fetch(`${start.base_url}/api/v1/discussions?include=author`, {
      headers: { authorization: `Bearer ${start.secret_key}` },
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
