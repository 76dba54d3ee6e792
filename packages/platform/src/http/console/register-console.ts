import { randomBytes } from 'node:crypto'
import { mkdir, readFile, stat } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { FastifyReply } from 'fastify'
import type { Config } from '../../config.ts'
import { notFound } from '../../errors.ts'
import type { Api } from '../api.ts'

/** Where the console is built: by `npm start` after it is ready, and in the image before it is packed. */
const BUILT = fileURLToPath(new URL('../../../../../apps/console/dist/', import.meta.url))
/** What the build has in place of a nonce. */
const PLACEHOLDER = 'CSP_NONCE'
const OPEN = { config: { access: 'open' }, schema: { hide: true } } as const

/**
 * The operators' console at /console. Every address below it that is no file answers the same page, whose script shows the
 * screen of the address. Each answer has a nonce of its own.
 */
export async function registerConsole(api: Api, config: StorageAddress): Promise<void> {
  const assets = `${BUILT}assets/`
  // A machine that builds it later has no folder yet; where nothing can be written, it is built already.
  await mkdir(assets, { recursive: true }).catch(() => undefined)
  await api.register(fastifyStatic, {
    ...{ root: assets, serve: false, preCompressed: true },
    // The names of files have the hash of their content.
    ...{ immutable: true, maxAge: '1y' },
  })
  const page = new ConsolePage(originOfStorage(config))
  api.get('/console/assets/:name', OPEN, async (request, reply) =>
    reply.sendFile((request.params as { name: string }).name),
  )
  for (const url of ['/console', '/console/*'])
    api.get(url, OPEN, async (request, reply) => {
      // Its API answers for itself.
      if (request.url.startsWith('/console/api')) throw notFound('Route')
      return page.send(reply)
    })
}

/** Where browsers send large files. */
type StorageAddress = Pick<Config, 'S3_BUCKET' | 'S3_REGION' | 'S3_ENDPOINT' | 'S3_PUBLIC_ENDPOINT'>

/** The origin to which large files go past the API; undefined where there is no storage. */
function originOfStorage(config: StorageAddress): string | undefined {
  const { S3_BUCKET, S3_REGION, S3_ENDPOINT, S3_PUBLIC_ENDPOINT } = config
  const endpoint = S3_PUBLIC_ENDPOINT ?? S3_ENDPOINT
  if (!S3_BUCKET) return undefined
  return endpoint === undefined
    ? `https://${S3_BUCKET}.s3.${S3_REGION}.amazonaws.com`
    : new URL(endpoint).origin
}

class ConsolePage {
  readonly #storage: string | undefined
  #text = ''
  #builtAt = 0

  constructor(storage: string | undefined) {
    this.#storage = storage
  }

  async send(reply: FastifyReply): Promise<FastifyReply> {
    const text = await this.#read()
    const nonce = randomBytes(16).toString('base64')
    reply.headers({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': policyOf(nonce, this.#storage),
      'cross-origin-opener-policy': 'same-origin',
      'referrer-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
    })
    if (text === undefined) return reply.code(503).header('retry-after', '2').send(BEING_BUILT)
    return reply.send(text.replaceAll(PLACEHOLDER, nonce))
  }

  /** The page as it was built last; undefined where it was not. */
  async #read(): Promise<string | undefined> {
    const file = `${BUILT}index.html`
    const found = await stat(file).catch(() => undefined)
    if (found === undefined) return undefined
    if (found.mtimeMs !== this.#builtAt) {
      this.#text = await readFile(file, 'utf8')
      this.#builtAt = found.mtimeMs
    }
    return this.#text
  }
}

/** Its own API is called, and the storage, which large files are sent to. */
const policyOf = (nonce: string, storage: string | undefined): string =>
  [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: https:",
    `connect-src ${["'self'", ...(storage === undefined ? [] : [storage])].join(' ')}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

const BEING_BUILT = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><meta http-equiv="refresh" content="2"><title>Guildhall</title></head>
<body><h1>The console is being built</h1><p>This takes about ten seconds after the first start. This page loads again by itself.</p></body></html>
`
