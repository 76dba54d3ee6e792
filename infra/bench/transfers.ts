/** Large files on their way, as a client sends and reads them: nothing is held in memory. */
import { createHash } from 'node:crypto'
import { request } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

const MIB = 1024 * 1024
const BOUNDARY = 'bench'
const HEAD = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="large.bin"\r\n\r\n`
const TAIL = `\r\n--${BOUNDARY}--\r\n`

/** A file's content: so many MiB, the same at every run. */
export interface Content {
  readonly mib: number
  readonly checksum: string
  chunks(): Iterable<Buffer>
}

export function makeContent(mib: number): Content {
  const chunk = Buffer.alloc(MIB, 'Guildhall ')
  // No two MiB are the same, so that nothing on the way can take one for another.
  const at = (i: number) => {
    const copy = Buffer.from(chunk)
    copy.writeUInt32BE(i)
    return copy
  }
  function* chunks(): Iterable<Buffer> {
    for (let i = 0; i < mib; i++) yield at(i)
  }
  const hash = createHash('sha256')
  for (const part of chunks()) hash.update(part)
  return { mib, checksum: hash.digest('hex'), chunks }
}

export interface Uploaded {
  readonly id: string
  readonly url: string
}

/** Uploads through the API. @param from the client's address, as a proxy tells it. @throws Error where the answer is not the file that was sent */
export async function uploadThrough(
  origin: string,
  authorization: string,
  content: Content,
  from = '192.0.2.1',
): Promise<Uploaded> {
  function* form(): Iterable<Buffer> {
    yield Buffer.from(HEAD)
    yield* content.chunks()
    yield Buffer.from(TAIL)
  }
  const { status, body } = await send(`${origin}/api/v1/storage/files`, 'POST', form(), {
    authorization,
    'x-forwarded-for': from,
    'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
  })
  const { data } = JSON.parse(body) as { data?: Uploaded & { checksum_sha256: string } }
  if (status !== 201 || data?.checksum_sha256 !== content.checksum) throw new Error(`${status} ${body}`)
  return data
}

/** Reads a file to its end. @throws Error where it is not the content */
export async function download(
  url: string,
  headers: Record<string, string>,
  content: Content,
): Promise<void> {
  const hash = createHash('sha256')
  const answer = await fetch(url, { headers })
  for await (const chunk of answer.body ?? []) hash.update(chunk)
  if (hash.digest('hex') !== content.checksum) throw new Error(`${answer.status}: not what was uploaded`)
}

async function send(
  url: string,
  method: string,
  body: Iterable<Buffer>,
  headers: Record<string, string>,
): Promise<{ status: number; body: string }> {
  const sending = request(url, { method, headers })
  const answered = new Promise<{ status: number; body: string }>((resolve, reject) => {
    sending.once('error', reject)
    sending.once('response', async (response) => {
      const text = Buffer.concat(await response.toArray()).toString()
      resolve({ status: response.statusCode ?? 0, body: text })
    })
  })
  await pipeline(Readable.from(body), sending)
  return answered
}
