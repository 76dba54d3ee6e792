import { execFile, spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { RunningWorker } from '#platform/jobs/worker.ts'
import { startJobs } from '#testkit/areas/member-imports.ts'
import { openStorage, type StorageEnvironment } from '#testkit/areas/storage/files.ts'
import { makeProjects, type Side } from '#testkit/factories.ts'
import { freePort } from '#testkit/servers/free-port.ts'
import { SOON } from '#testkit/soon.ts'

// What the README tells its readers to run is run here, as it is written there.

const ROOT = fileURLToPath(new URL('../', import.meta.url))

let env: StorageEnvironment
let side: Side
let worker: RunningWorker
let blocks: { language: string; text: string }[]
let folder: string

beforeAll(async () => {
  const readme = await readFile(join(ROOT, 'README.md'), 'utf8')
  blocks = [...readme.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, language = '', text = '']) => ({
    language,
    text,
  }))
  env = await openStorage({ ALLOW_PRIVATE_NETWORKS: 'true' })
  worker = startJobs(env.api, env.s3)
  folder = await mkdtemp(join(tmpdir(), 'guildhall-readme-'))
})
// A project for each test, as the names in a block can be taken only once.
beforeEach(async () => {
  ;[{ live: side }] = await makeProjects(env.api)
  const publicKey = await side.makeKey({ type: 'public', capabilities: ['submit'] })
  const keys = { embedded: { secretKey: side.key, publicKey: publicKey.key } }
  await writeFile(join(folder, 'demo-keys.json'), JSON.stringify(keys))
})
afterAll(async () => {
  await rm(folder, { recursive: true })
  await worker.stop()
  await env.close()
})

/** The block with a text, made for the servers of this test in place of those of `npm start`. */
function block(language: string, containing: string): string {
  const found = blocks.filter((each) => each.language === language && each.text.includes(containing))
  expect(found).toHaveLength(1)
  return (found[0]?.text ?? '')
    .replaceAll('http://127.0.0.1:3000', env.api.url)
    .replaceAll('/tmp/', './.data/')
    .replaceAll('./.data/', `${folder}/`)
    .replaceAll('npm run -s guildhall --', `${process.execPath} ${ROOT}apps/cli/src/main.ts`)
}

/** Runs a block in a shell, from the root of the tree; every line must succeed. */
async function run(script: string): Promise<string> {
  const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script], {
    cwd: ROOT,
    env: {
      PATH: `${join(process.execPath, '..')}:/usr/local/bin:/usr/bin:/bin`,
      DATABASE_URL: env.api.database.url,
      SECRET_KEY: env.api.database.secretKey,
    },
  })
  // An answer that is no success shows in what was printed.
  expect(stdout).not.toContain('"success":false')
  return stdout
}

describe('the README', () => {
  test.each([
    ['a first minute', '/members/stats', '"by_status"'],
    ['a form with a file', '/forms/$FORM/publish', 'ada@example.com'],
    ['the registration of a webhook', '/webhooks/$ID/test', '"event_type":"webhook.test"'],
    ['an import', '/members/imports/$IMPORT/faults', 'no address'],
    ['a file', '/storage/files/$ID', '"deleted":true'],
    ['log-in', 'post magic-link', '"refresh_token"'],
  ])('has %s that runs', async (_what, containing, printed) => {
    expect(await run(block('sh', containing))).toContain(printed)
  })

  test('has a verification of access tokens that works, by the audience that it asks for', async () => {
    const { token, memberId } = await side.signIn()
    const script = block('js', 'jwtVerify').replace(
      '{ issuer, audience,',
      `{ issuer: '${env.api.config.BASE_URL}', audience,`,
    )
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
      cwd: ROOT,
      env: { KEY: side.key, TOKEN: token },
    })
    expect(stdout).toContain(memberId)
  })

  test('has a receiver that takes messages with a right signature, and no others', async () => {
    const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
    const port = await freePort()
    const file = join(folder, 'receiver.mjs')
    await writeFile(file, block('js', 'webhook-signature'))
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

  test('shows a receiver of 20 lines', () => {
    const lines = block('js', 'webhook-signature')
      .split('\n')
      .filter((line) => line.trim() !== '')
    expect(lines.length).toBeLessThanOrEqual(20)
  })
})
