import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { expect, onTestFinished, test } from 'vitest'
import { EventLoopTurns } from '../../threads/event-loop-turns.ts'
import { freeSentChunks, PacedDownload, PIECE_BYTES } from './paced-download.ts'

const CHUNK = 64 * 1024
const chunksOf = (count: number) =>
  Array.from({ length: count }, () => Buffer.from(randomBytes(CHUNK).buffer))

async function serve(listener: RequestListener): Promise<number> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

test('a download takes a turn for each piece, and passes every byte', async () => {
  let turns = 0
  const paced = new PacedDownload(async () => {
    turns += 1
  })
  const chunks = chunksOf(32)
  const passed: Buffer[] = []
  await pipeline(Readable.from(chunks), paced, async (source: AsyncIterable<Buffer>) => {
    for await (const chunk of source) passed.push(chunk)
  })
  expect(turns).toBe((32 * CHUNK) / PIECE_BYTES)
  expect(Buffer.concat(passed).equals(Buffer.concat(chunks))).toBe(true)
})

test('the downloads of one project leave those of another every second turn', async () => {
  const turns = new EventLoopTurns()
  const passed: string[] = []
  const download = async (projectId: string) => {
    const paced = new PacedDownload(async () => {
      await turns.next({ projectId })
      passed.push(projectId)
    })
    await pipeline(Readable.from(chunksOf(16)), paced, async (source: AsyncIterable<Buffer>) => {
      for await (const _ of source);
    })
  }
  await Promise.all(['many', 'many', 'many', 'many', 'one'].map(download))
  // It has four pieces.
  expect(passed.lastIndexOf('one')).toBeLessThanOrEqual(8)
})

test('the memory of chunks is free once they are sent, and not before', async () => {
  const chunks = chunksOf(128)
  const hash = createHash('sha256')
  for (const chunk of chunks) hash.update(chunk)
  const port = await serve((_, answer) => {
    answer.setHeader('content-length', chunks.length * CHUNK)
    freeSentChunks(answer)
    Readable.from(chunks).pipe(answer)
  })
  const socket = connect(port, '127.0.0.1')
  socket.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
  const received: Buffer[] = []
  // A client that reads now and then: what waits for it must stay as it is.
  for await (const bytes of socket) {
    received.push(bytes as Buffer)
    await new Promise((resolve) => setImmediate(resolve))
  }
  const answer = Buffer.concat(received)
  const body = answer.subarray(answer.indexOf('\r\n\r\n') + 4)
  expect(createHash('sha256').update(body).digest('hex')).toBe(hash.digest('hex'))
  expect(chunks.filter(({ length }) => length > 0).length).toBeLessThanOrEqual(1)
})

test('a chunk that is a part of a larger buffer is left alone', async () => {
  const whole = Buffer.from(randomBytes(2 * CHUNK).buffer)
  const port = await serve((_, answer) => {
    freeSentChunks(answer)
    Readable.from([whole.subarray(0, CHUNK), whole.subarray(CHUNK)]).pipe(answer)
  })
  const answer = await fetch(`http://127.0.0.1:${port}`)
  expect(Buffer.from(await answer.arrayBuffer()).equals(whole)).toBe(true)
  expect(whole.length).toBe(2 * CHUNK)
})
