import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { fileOf, type StorageEnvironment, uploadFile, withStorage } from '#testkit/areas/storage/files.ts'
import type { Side } from '#testkit/factories.ts'
import { SOON } from '#testkit/soon.ts'

const MIB = 1024 * 1024
const LIMIT_MIB = 12
const BOUNDARY = 'limit'
const FILE = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\nContent-Type: text/plain\r\n\r\n`
const field = (name: string, value: string) =>
  `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
const END = `\r\n--${BOUNDARY}--\r\n`

let env: StorageEnvironment
let side: Side
withStorage(
  (opened) => {
    env = opened
    side = env.side
    env.work()
  },
  { UPLOAD_LIMIT_MIB: String(LIMIT_MIB) },
)

interface Answered {
  readonly status: number | undefined
  readonly body: { code?: string; error?: string }
}

/** A request whose body the test writes; chunked, so that no header tells its length. */
function begin(contentType = `multipart/form-data; boundary=${BOUNDARY}`): {
  sending: ClientRequest
  answered: Promise<Answered>
} {
  const sending = request(`${env.api.url}/api/v1/storage/files`, {
    method: 'POST',
    headers: { authorization: `Bearer ${side.key}`, 'content-type': contentType },
  })
  const answered = new Promise<Answered>((resolve, reject) => {
    sending.once('response', async (response: IncomingMessage) => {
      // Whoever is answered in the middle of sending is cut off then.
      sending.off('error', reject).on('error', () => {})
      const text = Buffer.concat(await response.toArray()).toString()
      resolve({ status: response.statusCode, body: JSON.parse(text) })
    })
    sending.once('error', reject)
  })
  answered.catch(() => {})
  return { sending, answered }
}

async function send(...parts: (string | Buffer)[]): Promise<Answered> {
  const { sending, answered } = begin()
  for (const part of parts) sending.write(part)
  sending.end()
  return answered
}

/** Writes as long as the other side listens. */
async function sendWithoutEnd(first: string, chunk: Buffer): Promise<Answered> {
  const { sending, answered } = begin()
  let done = false
  answered.then(
    () => (done = true),
    () => (done = true),
  )
  sending.write(first)
  while (!done) if (!sending.write(chunk)) await Promise.race([sleep(5), answered])
  sending.destroy()
  return answered
}

/** What is left of uploads: rows, objects, begun uploads. */
async function left() {
  const [rows] = await env.sql<{ n: number }>('select count(*)::int as n from files')
  return { rows: rows?.n, objects: (await env.s3.keys()).length, begun: await env.s3.unfinished() }
}
const nothing = { rows: 0, objects: 0, begun: 0 }

afterEach(async () => {
  for (const { id } of (await side.admin.get<{ data: { id: string }[] }>('/storage/files?limit=100')).body
    .data)
    await side.admin.delete(`/storage/files/${id}`)
  await vi.waitFor(async () => expect(await left()).toEqual(nothing), SOON)
})

describe('a client that goes away', () => {
  test.each([
    ['before its file', { rows: 0 }, field('name', 'x.txt')],
    ['in a small file', { rows: 1 }, FILE, Buffer.alloc(1_000)],
    ['in a large file', { rows: 1, begun: 1 }, FILE, Buffer.alloc(11 * MIB)],
    ['between its parts', { rows: 1, objects: 1 }, FILE, 'x', `\r\n${field('name', 'x.txt')}`],
  ])('%s leaves nothing', async (_when, before, ...parts) => {
    const { sending } = begin()
    for (const part of parts) sending.write(part)
    await vi.waitFor(async () => expect(await left()).toMatchObject(before), SOON)
    sending.destroy()
    await vi.waitFor(async () => expect(await left()).toEqual(nothing), SOON)
  })
})

describe('a file', () => {
  test('of exactly the limit is taken, whatever its headers say', async () => {
    const { status, body } = await send(FILE, Buffer.alloc(LIMIT_MIB * MIB), END)
    expect({ status, body }).toMatchObject({ status: 201, body: { data: { size: LIMIT_MIB * MIB } } })
  })

  test('of one byte more is refused, also where its length is declared', async () => {
    const more = Buffer.alloc(LIMIT_MIB * MIB + 1)
    const refused = {
      status: 413,
      body: { code: 'PAYLOAD_TOO_LARGE', error: `The file is larger than ${LIMIT_MIB} MiB` },
    }
    expect(await send(FILE, more, END)).toMatchObject(refused)
    expect(await uploadFile(side, fileOf(more))).toMatchObject(refused)
  })

  test('without an end is refused, and its connection closed', async () => {
    expect(await sendWithoutEnd(FILE, Buffer.alloc(256 * 1024))).toMatchObject({
      status: 413,
      body: { code: 'PAYLOAD_TOO_LARGE' },
    })
  })
})

describe('a form that is none', () => {
  test.each([
    ['that never begins', 'x', Buffer.alloc(256 * 1024, 'y')],
    [
      'of headers without an end',
      `--${BOUNDARY}\r\nContent-Disposition: form-data; name="`,
      Buffer.alloc(64 * 1024, 'y'),
    ],
    ['of a field without an end', field('name', 'x').slice(0, -2), Buffer.alloc(64 * 1024, 'y')],
  ])('%s is refused', async (_what, first, chunk) => {
    const { status } = await sendWithoutEnd(first, chunk)
    expect([400, 413, 422]).toContain(status)
  })

  test('of 10,000 parts is refused', async () => {
    const { status, body } = await send(field('name', 'x').repeat(10_000), FILE, 'x', END)
    expect([status, body.code]).toEqual([422, 'VALIDATION_ERROR'])
    const files = await send(`${FILE}x\r\n`.repeat(10_000), END)
    expect([files.status, files.body.code]).toEqual([422, 'VALIDATION_ERROR'])
  })

  test('without its last boundary, or without any, is refused as malformed', async () => {
    for (const body of [
      `${FILE}x`,
      `${FILE}x\r\n--${BOUNDARY}`,
      'no boundary at all',
      `--${BOUNDARY}\r\n\r\n`,
    ])
      expect([body, await send(body)]).toMatchObject([
        body,
        { status: 400, body: { code: 'INVALID_PARAMETERS' } },
      ])
    const { sending, answered } = begin('multipart/form-data')
    sending.end(`${FILE}x${END}`)
    expect(await answered).toMatchObject({ status: 400, body: { code: 'INVALID_PARAMETERS' } })
  })

  test('that is empty, or of nothing but an end, lacks its file', async () => {
    for (const body of ['', `--${BOUNDARY}--\r\n`])
      expect([body, (await send(body)).status]).toEqual([body, 422])
  })

  test('with a field of a prototype’s name is refused', async () => {
    for (const name of ['__proto__', 'constructor', 'toString'])
      expect([name, (await send(field(name, 'x'), FILE, 'x', END)).status]).toEqual([name, 422])
  })
})

describe('time', () => {
  test('is given to a file as long as it comes, and to nothing else', async () => {
    const { server } = env.api.api
    const { requestTimeout, headersTimeout } = server
    Object.assign(server, { requestTimeout: 500, headersTimeout: 500 })
    const { sending, answered } = begin()
    const other = request(`${env.api.url}/api/v1/storage/uploads`, {
      method: 'POST',
      headers: { authorization: `Bearer ${side.key}`, 'content-type': 'application/json' },
    })
    let otherStatus: number | undefined
    other.once('response', (response) => {
      otherStatus = response.statusCode
    })
    other.on('error', () => {})
    try {
      other.write('{')
      sending.write(FILE)
      let size = 0
      while (otherStatus === undefined || size % 10 > 0) {
        sending.write('x')
        size++
        await sleep(20)
      }
      sending.end(END)
      expect(otherStatus).toBe(408)
      expect(await answered).toMatchObject({ status: 201, body: { data: { size } } })
    } finally {
      Object.assign(server, { requestTimeout, headersTimeout })
    }
  })

  test('or an outage of the storage loses nothing: the upload is refused and can be repeated', async () => {
    await env.s3.stop()
    const refused = await send(FILE, Buffer.alloc(MIB), END)
    await env.s3.start()
    expect(refused).toMatchObject({ status: 503, body: { code: 'UNAVAILABLE' } })
    expect((await send(FILE, Buffer.alloc(MIB), END)).status).toBe(201)
  })
})
