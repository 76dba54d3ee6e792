import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import S3rver from '@20minutes/s3rver'
import { signatureFault } from './s3-signature.ts'

export interface S3ServerOptions {
  /** Where everything is kept. */
  readonly directory: string
  /** Made where it is missing. */
  readonly bucket: string
  readonly secretAccessKey: string
  /** 0 for any that is free. */
  readonly port: number
}

/** An S3 server in this process, on loopback. */
export interface S3Server {
  readonly port: number
  /** How many requests are being answered. */
  busy(): number
  close(): Promise<void>
}

/** Browsers on any page may use signed URLs, as a bucket that takes uploads from them has to be set up. */
const CORS = `<CORSConfiguration><CORSRule><AllowedOrigin>*</AllowedOrigin><AllowedMethod>GET</AllowedMethod>
  <AllowedMethod>PUT</AllowedMethod><AllowedHeader>*</AllowedHeader><ExposeHeader>ETag</ExposeHeader></CORSRule></CORSConfiguration>`

/**
 * Starts S3rver on a folder. What it leaves out of the protocol is done here: it learns from signatures who asks, lets
 * uploads be given up, completed once, and listed with their parts, keeps nothing of an object whose sender went away, and removes single objects.
 */
export async function startS3Server(options: S3ServerOptions): Promise<S3Server> {
  const { directory, bucket, secretAccessKey } = options
  await mkdir(directory, { recursive: true })
  const s3rver = new S3rver({
    directory,
    silent: true,
    vhostBuckets: false,
    allowMismatchedSignatures: true,
    configureBuckets: [{ name: bucket, configs: [CORS] }],
  })
  await s3rver.configureBuckets()
  const serve = s3rver.callback()
  const uploads = join(directory, bucket, '._S3rver_uploads')

  const ifThere = async (upload: string, request: IncomingMessage, response: ServerResponse) => {
    if (await isThere(join(uploads, nameOf(upload)))) serve(request, response)
    else refuse(response, 'NoSuchUpload', 404)
  }

  /** Uploads that are being completed, each with the end of the last request that does so. */
  const completing = new Map<string, Promise<void>>()
  const inTurn = (upload: string, response: ServerResponse, work: () => Promise<void>) => {
    const before = completing.get(upload) ?? Promise.resolve()
    const { promise: closed, resolve } = Promise.withResolvers<void>()
    response.once('close', resolve)
    completing.set(upload, closed)
    answer(response, () => before.then(work))
  }

  let busy = 0
  const server = createServer((request, response) => {
    busy++
    response.once('close', () => busy--)
    const url = new URL(request.url ?? '/', 'http://s3')
    const upload = url.searchParams.get('uploadId')
    const fault = request.method === 'OPTIONS' ? undefined : signatureFault(request, secretAccessKey)
    if (fault !== undefined) refuse(response, fault)
    else if (request.method === 'DELETE' && upload !== null)
      answer(response, async () => {
        await rm(join(uploads, nameOf(upload)), { recursive: true, force: true })
        response.writeHead(204).end()
      })
    else if (request.method === 'DELETE')
      answer(response, async () => {
        await removeObject(join(directory, decodeURI(url.pathname)))
        response.writeHead(204).end()
      })
    else if (request.method === 'GET' && url.searchParams.has('uploads'))
      answer(response, async () => {
        response.setHeader('content-type', 'application/xml')
        response.end(await listOf(uploads, url.searchParams.get('prefix') ?? ''))
      })
    else if (request.method === 'GET' && upload !== null)
      answer(response, async () => sendParts(response, join(uploads, nameOf(upload))))
    else if (request.method === 'POST' && upload !== null)
      // Whoever comes second finds no upload, as on S3.
      inTurn(upload, response, () => ifThere(upload, request, response))
    else {
      if (request.method === 'PUT')
        forgetIfCutOff(request, response, join(directory, decodeURI(url.pathname)))
      if (request.method !== 'PUT' || upload === null) serve(request, response)
      // S3rver takes parts of uploads that it does not know.
      else answer(response, () => ifThere(upload, request, response))
    }
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port, '127.0.0.1', resolve)
  })
  return {
    port: (server.address() as AddressInfo).port,
    busy: () => busy,
    close: async () => {
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
      s3rver.logger.exceptions.unhandle()
      s3rver.logger.close()
    },
  }
}

/** Uploads that were begun and neither completed nor given up. */
async function listOf(uploads: string, prefix: string): Promise<string> {
  const begun = await Promise.all(
    (await readdir(uploads).catch(() => [])).map(async (id) => ({
      id,
      key: await readFile(join(uploads, id, 'key'), 'utf8').catch(() => ''),
    })),
  )
  const entries = begun
    .filter(({ key }) => key.startsWith(prefix))
    .map(({ id, key }) => `<Upload><Key>${key}</Key><UploadId>${id}</UploadId></Upload>`)
  return `<?xml version="1.0" encoding="UTF-8"?>\n<ListMultipartUploadsResult>${entries.join('')}<IsTruncated>false</IsTruncated></ListMultipartUploadsResult>`
}

const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  )

/** The parts of an upload that have arrived. @param folder of the upload */
async function sendParts(response: ServerResponse, folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => undefined)
  if (names === undefined) return refuse(response, 'NoSuchUpload', 404)
  const numbers = names
    .filter((name) => /^\d+$/.test(name) && names.includes(`${name}.md5`))
    .map(Number)
    .sort((a, b) => a - b)
  const parts = await Promise.all(
    numbers.map(async (number) => {
      const path = join(folder, String(number))
      const [{ size }, md5] = await Promise.all([stat(path), readFile(`${path}.md5`, 'utf8')])
      return `<Part><PartNumber>${number}</PartNumber><ETag>&quot;${md5}&quot;</ETag><Size>${size}</Size></Part>`
    }),
  )
  response.setHeader('content-type', 'application/xml')
  response.end(
    `<?xml version="1.0" encoding="UTF-8"?>\n<ListPartsResult>${parts.join('')}<IsTruncated>false</IsTruncated></ListPartsResult>`,
  )
}

/** An upload's id as the name of its folder, and no other folder's. */
const nameOf = (upload: string): string => (/^[0-9a-f]{32}$/.test(upload) ? upload : 'none')

/** S3 keeps an object when all of it has come, or not at all; S3rver keeps what it got. */
function forgetIfCutOff(request: IncomingMessage, response: ServerResponse, path: string): void {
  response.once('close', () => {
    if (!request.complete) removeObject(path).catch(() => undefined)
  })
}

/**
 * Removes the files of an object, and no folder. S3rver removes folders that it found empty, with what was stored in them
 * since: an object that another request had just put was lost.
 */
async function removeObject(path: string): Promise<void> {
  for (const part of ['object', 'object.md5', 'metadata.json'])
    await rm(`${path}._S3rver_${part}`, { force: true })
}

function answer(response: ServerResponse, work: () => Promise<void>): void {
  work().catch(() => response.writeHead(500).end())
}

function refuse(response: ServerResponse, code: string, status = 403): void {
  response.writeHead(status, { 'content-type': 'application/xml' })
  response.end(
    `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${code}</Message></Error>`,
  )
}
