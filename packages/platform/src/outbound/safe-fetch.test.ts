import { connect, type LookupFunction } from 'node:net'
import type { buildConnector } from 'undici'
import { expect, onTestFinished, test, vi } from 'vitest'
import { httpReceiver, type Receiver, tcpReceiver } from '#testkit/servers/receiver.ts'
import { SOON } from '#testkit/soon.ts'
import { type Edge, SafeFetch } from './safe-fetch.ts'

const PRODUCTION = { ALLOW_PRIVATE_NETWORKS: [] }
const LOCAL = { ALLOW_PRIVATE_NETWORKS: ['127.0.0.0/8', '::1'] }

function made(rules: { ALLOW_PRIVATE_NETWORKS: string[] }, edge: Edge = {}): SafeFetch {
  const fetcher = new SafeFetch(rules, edge)
  onTestFinished(() => fetcher.close())
  return fetcher
}

async function running(receiver: Promise<Receiver>): Promise<Receiver> {
  const { close } = await receiver
  onTestFinished(close)
  return receiver
}

const get = (url: string) => ({ url, method: 'GET' as const })
const answering = (addresses: string[]) => async () => addresses

test('a name that leads to loopback, a private or a special address is not connected to', async () => {
  const receiver = await running(tcpReceiver(() => {}))
  for (const address of [
    '127.0.0.1',
    '::1',
    '::ffff:127.0.0.1',
    '10.0.0.1',
    '169.254.169.254',
    '100.64.0.1',
  ]) {
    const fetcher = made(PRODUCTION, { resolve: answering([address]) })
    const { error, status } = await fetcher.fetch(get(`https://hooks.example:${receiver.port}/`))
    expect([address, error, status]).toEqual([address, 'blocked_address', undefined])
  }
  expect(receiver.connections()).toBe(0)
})

test('one bad address among good ones refuses the name, wherever it stands', async () => {
  const receiver = await running(tcpReceiver(() => {}))
  for (const addresses of [
    ['127.0.0.1', '10.0.0.1'],
    ['192.168.0.1', '127.0.0.1'],
    ['127.0.0.1', '::1', 'fd00::1'],
  ]) {
    const fetcher = made(LOCAL, { resolve: answering(addresses) })
    const { error } = await fetcher.fetch(get(`http://hooks.example:${receiver.port}/`))
    expect([addresses, error]).toEqual([addresses, 'blocked_address'])
  }
  expect(receiver.connections()).toBe(0)
})

test('a literal address takes the same path, in every spelling', async () => {
  const receiver = await running(tcpReceiver(() => {}))
  const hosts = [
    ...['127.0.0.1', '127.1', '2130706433', '0x7f000001', '0x7f.1', '0177.0.0.1', '017700000001', '0'],
    ...[
      '[::1]',
      '[::ffff:7f00:1]',
      '[::ffff:127.0.0.1]',
      '[64:ff9b::7f00:1]',
      '[2002:7f00:1::]',
      'localhost',
    ],
  ]
  for (const host of hosts) {
    const { error } = await made(PRODUCTION).fetch(get(`https://${host}:${receiver.port}/`))
    expect([host, error]).toEqual([host, 'invalid_url'])
  }
  expect(receiver.connections()).toBe(0)
})

test('a name server that changes its answer between check and connection gains nothing: it is asked once', async () => {
  const receiver = await running(httpReceiver((_request, answer) => answer.end('reached')))
  const answers = [['127.0.0.1'], ['10.0.0.1']]
  const resolve = vi.fn(async () => answers.shift() ?? ['10.0.0.1'])
  const fetcher = made(LOCAL, { resolve })
  const url = `http://rebinding.example:${receiver.port}/`
  expect((await fetcher.fetch(get(url))).body.toString()).toBe('reached')
  expect(resolve).toHaveBeenCalledTimes(1)

  await receiver.close()
  // The kept connection is gone; the new one is judged anew.
  await vi.waitFor(async () => expect((await fetcher.fetch(get(url))).error).toBe('blocked_address'), SOON)
})

test('a connection that ends up elsewhere than at the judged address is cut before anything is sent', async () => {
  const received: string[] = []
  const receiver = await running(
    tcpReceiver((socket) => socket.on('data', (data) => received.push(String(data)))),
  )
  const answers = [['93.184.216.34'], ['127.0.0.1']]
  const resolve = async () => answers.shift() ?? []
  const judged: unknown[] = []
  // What an HTTP client does that looks the name up again after it was checked.
  const dial = (lookup: LookupFunction): buildConnector.connector => {
    return (options, done) => {
      lookup(options.hostname, { all: true }, (error, addresses) => {
        judged.push(error, addresses)
        resolve().then(
          ([host = '']) => {
            const socket = connect({ host, port: receiver.port }, () => done(null, socket))
          },
          (fault) => done(fault, null),
        )
      })
    }
  }
  const { error } = await made(PRODUCTION, { resolve, dial }).fetch(get('https://rebinding.example/'))
  expect(error).toBe('blocked_address')
  expect(judged).toEqual([null, [{ address: '93.184.216.34', family: 4 }]])
  expect(receiver.connections()).toBe(1)
  await vi.waitFor(() => expect(receiver.open()).toBe(0), SOON)
  expect(received).toEqual([])
})

test('a redirect is an answer, and not followed', async () => {
  const asked: (string | undefined)[] = []
  const receiver = await running(
    httpReceiver((request, answer) => {
      asked.push(request.url)
      answer.writeHead(302, { location: '/elsewhere' }).end()
    }),
  )
  const result = await made(LOCAL).fetch(get(`http://127.0.0.1:${receiver.port}/first`))
  expect([result.status, result.headers.location, result.error]).toEqual([302, '/elsewhere', undefined])
  expect(asked).toEqual(['/first'])
})

test('credentials, other schemes and ports, line breaks: nothing is sent', async () => {
  const receiver = await running(tcpReceiver(() => {}))
  for (const url of [
    `http://user:secret@127.0.0.1:${receiver.port}/`,
    `ftp://127.0.0.1:${receiver.port}/`,
    'http://127.0.0.1:22/',
    `http://127.0.0.1:${receiver.port}/\r\nX-Injected: 1`,
    'not a url',
  ]) {
    expect([url, (await made(LOCAL).fetch(get(url))).error]).toEqual([url, 'invalid_url'])
  }
  const { error } = await made(PRODUCTION).fetch(get('http://hooks.example/'))
  expect(error).toBe('invalid_url')
  expect(receiver.connections()).toBe(0)
})

test('a header with a line break in its name or value sends nothing', async () => {
  const receiver = await running(tcpReceiver(() => {}))
  const url = `http://127.0.0.1:${receiver.port}/`
  for (const headers of [{ 'x-a': 'b\r\nx-injected: 1' }, { 'x-a': 'b\nc' }, { 'x-a\r\nx-b': '1' }]) {
    expect((await made(LOCAL).fetch({ url, method: 'POST', headers, body: '' })).error).toBe(
      'invalid_request',
    )
  }
  expect(receiver.connections()).toBe(0)
})
