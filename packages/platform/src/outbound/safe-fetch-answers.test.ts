import type { LookupFunction, Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { buildConnector } from 'undici'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { httpReceiver, httpsReceiver, type Receiver, tcpReceiver } from '#testkit/servers/receiver.ts'
import { SOON } from '#testkit/soon.ts'
import { type Edge, SafeFetch } from './safe-fetch.ts'

const DEADLINE_MS = 300

/** A fetch that may reach this machine, and waits for nothing long. */
function hasty(edge: Edge = {}): SafeFetch {
  const fetcher = new SafeFetch(
    { ALLOW_PRIVATE_NETWORKS: ['127.0.0.0/8', '::1'] },
    { deadlineMs: DEADLINE_MS, ...edge },
  )
  onTestFinished(() => fetcher.close())
  return fetcher
}

async function running<R extends Receiver>(receiver: Promise<R>): Promise<R> {
  const { close } = await receiver
  onTestFinished(close)
  return receiver
}

const get = (url: string) => ({ url, method: 'GET' as const })
const answering = (addresses: string[]) => async () => addresses

describe('what comes back', () => {
  test('the request arrives as it was given, and the answer with status, headers and body', async () => {
    const receiver = await running(
      httpReceiver((request, answer) => {
        const chunks: Buffer[] = []
        request.on('data', (chunk) => chunks.push(chunk))
        request.on('end', () => {
          const seen = [
            request.method,
            request.url,
            request.headers['x-sent'],
            Buffer.concat(chunks).toString(),
          ]
          answer.writeHead(418, { 'x-twice': ['a', 'b'], 'X-Once': 'c' }).end(JSON.stringify(seen))
        })
      }),
    )
    const result = await hasty().fetch({
      url: `http://localhost:${receiver.port}/hooks?a=b`,
      method: 'POST',
      headers: { 'x-sent': 'yes' },
      body: 'ünï',
    })
    expect(result).toMatchObject({ status: 418, headers: { 'x-twice': 'a, b', 'x-once': 'c' } })
    expect(JSON.parse(result.body.toString())).toEqual(['POST', '/hooks?a=b', 'yes', 'ünï'])
    expect(result.error).toBeUndefined()
  })

  test('a connection is used again for the same origin', async () => {
    const receiver = await running(httpReceiver((_request, answer) => answer.end('ok')))
    const fetcher = hasty()
    for (let i = 0; i < 50; i++) await fetcher.fetch(get(`http://127.0.0.1:${receiver.port}/${i}`))
    // A second one, because a connection is free only a moment after its answer has been read.
    expect(receiver.connections()).toBeLessThanOrEqual(2)
  })

  test('of 64 KiB at the most, 16 KiB are kept, or as much as the caller wants', async () => {
    const receiver = await running(httpReceiver((_request, answer) => answer.end('x'.repeat(64 * 1024))))
    const url = `http://127.0.0.1:${receiver.port}/`
    const usual = await hasty().fetch(get(url))
    expect([usual.status, usual.body.length, usual.error]).toEqual([200, 16 * 1024, undefined])
    const all = await hasty().fetch({ ...get(url), keepBytes: 1_000_000 })
    expect([all.status, all.body.length, all.error]).toEqual([200, 64 * 1024, undefined])
  })

  test('more is read where the caller says how much', async () => {
    const receiver = await running(httpReceiver((_request, answer) => answer.end('x'.repeat(100_000))))
    const request = { ...get(`http://127.0.0.1:${receiver.port}/`), keepBytes: 1_000_000 }
    const whole = await hasty().fetch({ ...request, readBytes: 100_000 })
    expect([whole.body.length, whole.error]).toEqual([100_000, undefined])
    const cut = await hasty().fetch({ ...request, readBytes: 99_999 })
    expect([cut.body.length, cut.error]).toEqual([99_999, 'body_too_large'])
  })

  test('a body of 10 GB is left after 64 KiB: its status holds, and the connection is closed', async () => {
    const receiver = await running(
      httpReceiver((_request, answer) => {
        answer.writeHead(200, { 'content-length': String(10 * 1024 ** 3) })
        const megabyte = Buffer.alloc(1024 * 1024)
        const more = () => {
          while (answer.write(megabyte));
        }
        answer.on('drain', more)
        more()
      }),
    )
    const result = await hasty().fetch(get(`http://127.0.0.1:${receiver.port}/`))
    expect([result.status, result.body.length, result.error]).toEqual([200, 16 * 1024, 'body_too_large'])
    await vi.waitFor(() => expect(receiver.open()).toBe(0), SOON)
    // What the kernel's buffers swallow, and no more.
    expect(receiver.bytesWritten()).toBeLessThan(32 * 1024 ** 2)
  })

  test('a gzip bomb stays as it came', async () => {
    const bomb = gzipSync(Buffer.alloc(8 * 1024 ** 2))
    const receiver = await running(
      httpReceiver((request, answer) => {
        expect(request.headers['accept-encoding']).toBeUndefined()
        answer.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb)
      }),
    )
    const result = await hasty().fetch(get(`http://127.0.0.1:${receiver.port}/`))
    expect(result.body.equals(bomb)).toBe(true)
  })
})

describe('a failure is data', () => {
  test.each<[string, (socket: Socket) => void, string, number | undefined]>([
    ['accepts and says nothing', () => {}, 'timeout', undefined],
    [
      'sends its headers a byte at a time',
      trickle('HTTP/1.1 200 OK\r\n', 'x-a: b\r\n'),
      'timeout',
      undefined,
    ],
    [
      'sends its body a byte at a time',
      trickle('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n', 'x'),
      'timeout',
      200,
    ],
    ['hangs up at once', (socket) => socket.destroy(), 'closed', undefined],
    ['resets the connection', (socket) => socket.resetAndDestroy(), 'closed', undefined],
    [
      'hangs up in the middle of the body',
      (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\nbegun'),
      'closed',
      200,
    ],
    ['speaks another protocol', (socket) => socket.end('SSH-2.0-OpenSSH_9.9\r\n'), 'malformed', undefined],
    [
      'sends headers without end',
      (socket) => socket.write(`HTTP/1.1 200 OK\r\n${'x-a: b\r\n'.repeat(5_000)}`),
      'malformed',
      undefined,
    ],
  ])('a receiver that %s', async (_what, talk, error, status) => {
    const receiver = await running(tcpReceiver((socket) => socket.once('data', () => talk(socket))))
    const result = await hasty().fetch({
      ...get(`http://127.0.0.1:${receiver.port}/`),
      method: 'POST',
      body: '{}',
    })
    expect([result.error, result.status]).toEqual([error, status])
    expect(result.durationMs).toBeLessThan(DEADLINE_MS + 2_000)
    await vi.waitFor(() => expect(receiver.open()).toBe(0), SOON)
  })

  test('a name without an address, and one whose name server fails', async () => {
    for (const resolve of [answering([]), () => Promise.reject(new Error('SERVFAIL'))])
      expect((await hasty({ resolve }).fetch(get('http://hooks.example/'))).error).toBe('dns')
  })

  test('a name server that never answers counts against the one deadline, whatever else has a timer', async () => {
    const dial = (lookup: LookupFunction) =>
      buildConnector({ lookup, timeout: 3_000 } as buildConnector.BuildOptions)
    const edge = { dial, resolve: () => new Promise<never>(() => {}) }
    const result = await hasty(edge).fetch(get('http://hooks.example/'))
    expect(result.error).toBe('timeout')
    expect(result.durationMs).toBeLessThan(2_500)
  })

  test('nobody listens', async () => {
    const receiver = await tcpReceiver(() => {})
    await receiver.close()
    expect((await hasty().fetch(get(`http://127.0.0.1:${receiver.port}/`))).error).toBe('refused')
  })

  test('a certificate that nobody vouches for, and a server without TLS', async () => {
    const secure = await running(httpsReceiver((_request, answer) => answer.end('ok')))
    const plain = await running(httpReceiver((_request, answer) => answer.end('ok')))
    for (const { port } of [secure, plain])
      expect((await hasty().fetch(get(`https://localhost:${port}/`))).error).toBe('tls')
  })

  test('a trusted certificate is no failure, unless it is another host’s', async () => {
    const receiver = await running(httpsReceiver((_request, answer) => answer.end('ok')))
    const dial = (lookup: LookupFunction) =>
      buildConnector({ lookup, ca: receiver.certificate } as buildConnector.BuildOptions)
    const resolve = answering(['127.0.0.1'])
    const to = async (host: string) =>
      (await hasty({ dial, resolve }).fetch(get(`https://${host}:${receiver.port}/`))).error
    expect(await to('localhost')).toBeUndefined()
    expect(await to('hooks.example')).toBe('tls')
  })
})

/** Sends `first`, and then something every 20 ms. */
function trickle(first: string, then: string) {
  return (socket: Socket) => {
    socket.write(first)
    const timer = setInterval(() => socket.write(then), 20)
    socket.on('close', () => clearInterval(timer))
  }
}
