import { execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, copyFile, mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { beforeAll, expect, inject, onTestFinished, test } from 'vitest'
import { dropDatabase } from '#testkit/database.ts'
import { TEST_SECRET_KEY } from '#testkit/provided.ts'
import { SOON } from '#testkit/soon.ts'
import { NODE_FLAGS } from '../node-flags.ts'
import { freePort } from '../ports.ts'
import { ROOT } from './dockerfile.ts'
import { makeImageFolder } from './image-folder.ts'

/** The account of the image. */
const NODE_USER = ['setpriv', '--reuid=1000', '--regid=1000', '--clear-groups', '--no-new-privs']
/** Where the image is mounted: the account need not reach the folder of this run. */
const MOUNTED = '/mnt'

let image = ''
let databaseUrl = ''

beforeAll(async () => {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'guildhall-image-')))
  image = await makeImageFolder(folder)
  // The one that runs this may be where only its owner reaches it.
  await copyFile(process.execPath, join(image, 'node'))
  await chmod(image, 0o755)
  const url = new URL(inject('servers').postgresUrl)
  url.pathname = `/guildhall_image_${Date.now()}`
  const owner = new pg.Client({ connectionString: inject('servers').postgresUrl })
  await owner.connect()
  await owner.query(`create database ${url.pathname.slice(1)}`).finally(() => owner.end())
  databaseUrl = url.href
  return async () => {
    await dropDatabase(databaseUrl)
    await rm(folder, { recursive: true, force: true })
  }
}, 300_000)

/**
 * Whether this machine lets its account do what a container does: mount the image so that nobody writes to it, and go on as another
 * account. Where not, the image runs as it is.
 */
const isContained = (() => {
  const mount = ['-m', 'sh', '-c', `mount --bind / ${MOUNTED} && exec "$@"`, 'sh']
  const reads = ['test', '-r', join(ROOT, 'package.json')]
  try {
    execFileSync('unshare', [...mount, ...NODE_USER, ...reads], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
})()

/** The program and the arguments with which the image runs Node. */
function inImage(args: readonly string[]): [program: string, args: string[]] {
  if (!isContained) return [process.execPath, [...args]]
  const mount = `mount --bind "$0" ${MOUNTED} && mount -o remount,ro,bind ${MOUNTED} && cd ${MOUNTED} && exec "$@"`
  return ['unshare', ['-m', 'sh', '-c', mount, image, ...NODE_USER, `${MOUNTED}/node`, ...args]]
}

const environment = (more: Readonly<Record<string, string>> = {}) => ({
  PATH: process.env.PATH,
  NODE_ENV: 'production',
  NODE_COMPILE_CACHE: isContained ? `${MOUNTED}/compiled` : join(image, 'compiled'),
  DATABASE_URL: databaseUrl,
  SECRET_KEY: TEST_SECRET_KEY,
  BASE_URL: 'http://127.0.0.1:3000',
  ...more,
})

/** Runs a command of operators. @returns what it prints, whatever it ends with */
async function command(...args: string[]): Promise<string> {
  const [program, rest] = inImage(['apps/cli/src/main.ts', ...args])
  return promisify(execFile)(program, rest, { cwd: image, env: environment() }).then(
    ({ stdout }) => stdout,
    ({ stdout, stderr }: { stdout: string; stderr: string }) => stdout + stderr,
  )
}

/** Starts a process of the image, and waits until it is healthy. @returns its address */
async function start(script: string): Promise<string> {
  const port = String(await freePort())
  const [program, args] = inImage([...NODE_FLAGS, script])
  const child = spawn(program, args, {
    cwd: image,
    env: environment({ PORT: port, WORKER_PORT: port, LOG_LEVEL: 'warn' }),
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  onTestFinished(async () => {
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    expect(await ended).toEqual([0, null])
  })
  const origin = `http://127.0.0.1:${port}`
  await expect
    .poll(() => fetch(`${origin}/healthz`).then(({ status }) => status, String), { ...SOON, timeout: 60_000 })
    .toBe(200)
  return origin
}

test('the image migrates, serves and works as an account that writes to nothing', async () => {
  if (isContained) {
    const [program, args] = inImage(['-e', "fs.writeFileSync('written', '')"])
    await expect(promisify(execFile)(program, args)).rejects.toThrow(/EROFS/)
  }
  expect(JSON.parse(await command('migrate', '--json'))).toMatchObject({ waiting: [] })
  const { id } = JSON.parse(await command('project', 'create', '--name', 'Image', '--tier', 'free', '--json'))
  const side = ['--project', id, '--environment', 'live', '--name', 'Image']
  const { key } = JSON.parse(
    await command('key', 'create', ...side, '--type', 'secret', '--permissions', 'admin', '--json'),
  )
  const api = await start('apps/api/src/main.ts')
  await start('apps/worker/src/main.ts')

  const made = await fetch(`${api}/api/v1/members`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'image@example.com' }),
  })
  expect(made.status).toBe(201)
  // Every page that is linked, with the texts and files that the image has beside the sources.
  const index = await (await fetch(`${api}/docs`)).text()
  const pages = [...index.matchAll(/href="\.?(\/docs[^"#]*)"/g)].map(([, path = '']) => path)
  expect(pages.length).toBeGreaterThan(30)
  const html = await (await fetch(`${api}/console`)).text()
  const assets = [...html.matchAll(/(?:src|href)="(\/console\/assets\/[^"]+)"/g)].map(([, path = '']) => path)
  expect(assets.length).toBeGreaterThan(1)
  for (const path of ['/readyz', '/metrics', '/openapi.json', ...new Set(pages), ...assets]) {
    const { status } = await fetch(api + path)
    expect([path, status]).toEqual([path, 200])
  }
  const { findings } = JSON.parse(await command('doctor', '--json')) as {
    findings: { check: string; state: string; found: string }[]
  }
  // The PostgreSQL of the tests does not wait for its disk.
  const faults = findings.filter(({ state, found }) => state === 'fault' && !/ is off$/.test(found))
  expect(faults).toEqual([])
}, 300_000)
