import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import { fileOf, type StorageEnvironment, uploadFile, withStorage } from '#testkit/areas/storage/files.ts'
import type { Side } from '#testkit/factories.ts'
import { SOON } from '#testkit/soon.ts'
import { withoutStall } from '#testkit/without-stall.ts'

const MIB = 1024 * 1024
/** In place of 30 s. */
const WINDOW_MS = 600
const HEAD = '--edge\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n'

let env: StorageEnvironment
let side: Side
let other: Side
/** The URL of a public file that is larger than what lies between us and a client. */
let large: { url: string; size: number }
const open: Socket[] = []

withStorage(
  async (opened) => {
    env = opened
    side = env.side
    other = env.others[1]
    const file = await env.stored(fileOf(Buffer.alloc(24 * MIB, 'x')), { visibility: 'public' })
    large = { url: new URL(file.url ?? '').pathname, size: file.size }
  },
  { SLOW_CLIENT_MS: String(WINDOW_MS), TRUST_PROXY: '127.0.0.1' },
)
const hangUp = async () => {
  for (const socket of open.splice(0)) socket.destroy()
  // Until the API has noticed that they are gone.
  await expect.poll(() => env.s3.busy()).toBe(0)
}
afterEach(hangUp)
/** A client that stands still is a slow one, and here it stands still with the API. */
const asTimed = (scenario: () => Promise<void>) => () =>
  withoutStall(WINDOW_MS / 4, async () => {
    await hangUp()
    await scenario()
  })

/** A client that sends what the test says and reads nothing unless it is asked to. */
async function dial(): Promise<Socket & { isCut: () => boolean }> {
  const { hostname, port } = new URL(env.api.url)
  const socket = connect(Number(port), hostname)
  open.push(socket)
  let cut = false
  socket.on('error', () => {})
  socket.once('close', () => (cut = true))
  await new Promise((resolve) => socket.once('connect', resolve))
  return Object.assign(socket, { isCut: () => cut })
}

/** Begins an upload of which nothing comes but its beginning. */
async function beginUpload(from: Side, address: string, key = from.key) {
  const socket = await dial()
  socket.write(
    `POST /api/v1/storage/files HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nX-Forwarded-For: ${address}\r\n` +
      `Content-Type: multipart/form-data; boundary=edge\r\nContent-Length: 900000\r\n\r\n${HEAD}`,
  )
  return socket
}

async function beginDownload(address: string) {
  const socket = await dial()
  socket.write(
    `GET ${large.url} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-Forwarded-For: ${address}\r\n\r\n`,
  )
  socket.pause()
  return socket
}

/** The head of the answer that a client gets. */
const answerTo = (socket: Socket): Promise<string> =>
  new Promise((resolve, reject) => {
    socket.once('data', (bytes) => resolve(bytes.toString('latin1')))
    socket.once('close', () => reject(new Error('cut')))
    socket.resume()
  })

describe('uploads', () => {
  test(
    'slow ones of one project leave room for others, and are cut when they bring less than 8 KiB/s',
    asTimed(async () => {
      const slow = []
      for (let i = 0; i < 20; i++) slow.push(await beginUpload(side, `10.1.0.${i}`))
      const { status } = await uploadFile(other, fileOf('room'))
      expect(status).toBe(201)
      const answers = await Promise.all(slow.map(answerTo))
      expect(answers.filter((head) => head.startsWith('HTTP/1.1 400'))).toHaveLength(16)
      expect(answers.filter((head) => head.startsWith('HTTP/1.1 429'))).toHaveLength(4)
      expect(answers.find((head) => head.startsWith('HTTP/1.1 400'))).toContain('slower than 8 KiB/s')
    }),
  )

  test('time that our storage takes is not the client’s', async () => {
    const answer = uploadFile(side, fileOf(Buffer.alloc(11 * MIB)))
    expect((await answer).status).toBe(201)
  })

  test(
    'a client that brings more than 8 KiB/s is waited for',
    asTimed(async () => {
      const socket = await beginUpload(side, '10.1.1.1')
      // 25 KiB/s for three windows.
      for (let i = 0; i < 18; i++) {
        socket.write(Buffer.alloc(2_500))
        await sleep(100)
      }
      expect(socket.isCut()).toBe(false)
      const answer = answerTo(socket)
      socket.write(Buffer.alloc(900_000 - 18 * 2_500 - HEAD.length - 12))
      socket.write('\r\n--edge--\r\n')
      expect(await answer).toContain('HTTP/1.1 201')
    }),
  )
})

describe('downloads', () => {
  test(
    'fifty readers of a public file that take nothing stop no other work of the storage, and are cut',
    asTimed(async () => {
      const slow = []
      for (let i = 0; i < 32; i++) slow.push(await beginDownload(`10.2.0.${i % 4}`))
      const more = []
      for (let i = 0; i < 18; i++) more.push(await beginDownload(`10.2.1.${i}`))
      const [refused] = await Promise.all([answerTo(more.at(-1) as Socket), sleep(100)])
      expect(refused).toContain('HTTP/1.1 429')
      const { body } = await uploadFile(other, fileOf('room', 'b.txt'), { visibility: 'public' })
      const response = await env.read(body.data)
      expect(await response.text()).toBe('room')
      // For a while: on a busy machine the last ones begin when the first ones are cut already.
      let quiet = 0
      await expect
        .poll(
          () => {
            quiet = env.s3.busy() === 0 ? quiet + 1 : 0
            return quiet
          },
          { ...SOON, interval: 50 },
        )
        .toBeGreaterThan(20)
      const cut = await Promise.all(slow.map(lengthOf))
      expect(cut.filter((bytes) => bytes < large.size)).toHaveLength(slow.length)
    }),
  )

  test('one address has sixteen, and a project’s other visitors have theirs', async () => {
    for (let i = 0; i < 16; i++) await beginDownload('10.3.0.1')
    await expect.poll(() => env.s3.busy()).toBe(16)
    expect(await answerTo(await beginDownload('10.3.0.1'))).toContain('HTTP/1.1 429')
    expect(await answerTo(await beginDownload('10.3.0.2'))).toContain('HTTP/1.1 200')
  })
})

/** Bytes that a client gets to the end of the connection. */
const lengthOf = (socket: Socket): Promise<number> =>
  new Promise((resolve) => {
    let bytes = 0
    socket.on('data', (chunk) => (bytes += chunk.length))
    if (socket.destroyed) resolve(0)
    socket.once('close', () => resolve(bytes))
    socket.resume()
  })
