import type { AddressInfo } from 'node:net'
import { createServer, type Server, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { newCellSecret } from '#platform/cells/cell-secret.ts'
import { addCell } from '#platform/cells/manage-cells.ts'
import { makeKey } from '#platform/keys/key-format.ts'
import { startApi, type TestApi } from '#testkit/api.ts'
import { makeProjects, type TestProject } from '#testkit/factories.ts'
import { within } from '#testkit/within.ts'

// Another cell that is broken, or in the hands of somebody else: it answers what it likes.

vi.setConfig({ testTimeout: 60_000 })

let api: TestApi
let liar: Server
let moved: TestProject
let local: TestProject
/** What it sends for the head of a request, which it ends unless it is to hang. */
let lie: (head: string, socket: Socket) => void
const open = new Set<Socket>()
const unhandled: unknown[] = []
const note = (error: unknown) => void unhandled.push(error)

beforeAll(async () => {
  process.on('unhandledRejection', note)
  liar = createServer((socket) => {
    open.add(socket)
    socket.on('error', () => undefined)
    socket.once('close', () => open.delete(socket))
    socket.once('data', (head) => lie(head.toString('latin1'), socket))
  })
  await new Promise<void>((resolve) => liar.listen(0, '127.0.0.1', resolve))
  api = await startApi()
  ;[moved, local] = await makeProjects(api)
  await introduce()
  await api.owner.query("insert into project_locations (id, cell) select unnest($1::uuid[]), 'liar'", [
    [moved.live.projectId, moved.test.projectId],
  ])
  says('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}')
  await within(5_000, async () => expect((await ask()).text).toBe('{}'))
})
afterAll(async () => {
  for (const socket of open) socket.destroy()
  await new Promise((resolve) => liar?.close(resolve))
  await api?.close()
  process.off('unhandledRejection', note)
})

async function introduce(): Promise<void> {
  const url = `http://127.0.0.1:${(liar.address() as AddressInfo).port}`
  await addCell(api.owner, api.config, { name: 'liar', url, secret: newCellSecret(), allowHttp: true })
}
const says = (text: string) => {
  lie = (_head, socket) => socket.end(text, 'latin1')
}
/** What a client at the old address gets: the status and the text, or that the connection broke. */
async function ask(
  key = moved.live.key,
  path = '/api/v1/members',
): Promise<{ status: number; text: string }> {
  const signal = AbortSignal.timeout(5_000)
  const response = await fetch(api.url + path, { headers: { authorization: `Bearer ${key}` }, signal }).catch(
    () => undefined,
  )
  if (response === undefined) return { status: 0, text: 'broken' }
  const text = await response.text().catch(() => 'broken')
  return { status: response.status, text }
}
/** Projects of this installation are served meanwhile. */
async function expectSound() {
  expect((await ask(local.live.key)).status).toBe(200)
  expect(unhandled).toEqual([])
}

test('answers that are no HTTP, end too early, or have two lengths are 503 or a broken connection, and never a part taken for the whole', async () => {
  for (const text of [
    '',
    'garbage\r\n\r\n',
    'HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\n{}}',
    'HTTP/1.1 200 OK\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\n{}',
    'HTTP/1.1 200 OK\r\nx-a: a\u0000b\r\ncontent-length: 2\r\n\r\n{}',
    'HTTP/1.1 200 OK\r\nx a: b\r\ncontent-length: 2\r\n\r\n{}',
    `HTTP/1.1 200 OK\r\nx-a: ${'a'.repeat(40_000)}\r\ncontent-length: 2\r\n\r\n{}`,
    'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n',
    'HTTP/1.1 099 Odd\r\ncontent-length: 2\r\n\r\n{}',
    'HTTP/1.1 200 OK\r\nx-guildhall-refused: 1\r\ncontent-length: 2\r\n\r\n{}',
  ]) {
    says(text)
    const answer = await ask()
    expect([text.slice(0, 60), answer.status]).toEqual([text.slice(0, 60), 503])
    await expectSound()
  }
  for (const text of [
    'HTTP/1.1 200 OK\r\ncontent-length: 20\r\n\r\n{}',
    'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n',
    'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\nzz\r\n',
  ]) {
    says(text)
    expect([text, (await ask()).text]).toEqual([text, 'broken'])
    await expectSound()
  }
})

test('headers of one connection and of cells do not pass to the client', async () => {
  says(
    'HTTP/1.1 299 Odd\r\nconnection: close, x-secret\r\nx-secret: 1\r\nkeep-alive: timeout=5\r\nx-kept: 1\r\ncontent-length: 2\r\n\r\n{}',
  )
  const { status, headers } = await fetch(`${api.url}/api/v1/members`, {
    headers: { authorization: `Bearer ${moved.live.key}` },
  })
  expect([status, headers.get('x-kept'), headers.get('x-secret')]).toEqual([299, '1', null])
})

test('answers to questions that are too long, no JSON, or name no project are no answers', async () => {
  const json = (value: unknown) => {
    const text = JSON.stringify(value)
    return `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${text.length}\r\n\r\n${text}`
  }
  const unknown = () => ask(makeKey('secret', 'live').key)
  for (const text of [
    json({ project_id: 'x\r\nhost: elsewhere' }),
    json({ project_id: { toString: 'x' } }),
    json({ project_id: 5 }),
  ]) {
    says(text)
    expect((await unknown()).status).toBe(401)
    await expectSound()
  }
  for (const text of [json(null), json('text'), 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\n{']) {
    says(text)
    expect((await unknown()).status).toBe(503)
    await expectSound()
  }
  // An endless one is broken off early.
  let sent = 0
  lie = (_head, socket) => {
    socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n')
    const more = () => {
      if (socket.destroyed) return
      sent += 65_536
      socket.write(`10000\r\n${'a'.repeat(65_536)}\r\n`, more)
    }
    more()
  }
  expect((await unknown()).status).toBe(503)
  expect(sent).toBeLessThan(16 * 2 ** 20)
  await expectSound()
})

test('published keys of another cell that are none are left out', async () => {
  for (const answer of [
    {},
    { keys: 5 },
    { keys: [null, 'x', { kid: 'a' }, { kid: 'b', kty: 'EC', d: 'secret' }] },
  ]) {
    const text = JSON.stringify(answer)
    let isAsked = false
    lie = (head, socket) => {
      isAsked = head.startsWith('GET /.well-known/jwks.json ')
      socket.end(`HTTP/1.1 200 OK\r\ncontent-length: ${text.length}\r\n\r\n${text}`)
    }
    // Keys of a cell are asked for once a minute: one with another secret is another one.
    await introduce()
    await within(5_000, async () => {
      const { status, body } = await api.send<{ keys: object[] }>('GET', '/.well-known/jwks.json')
      expect([status, body.keys.length, isAsked]).toEqual([200, 1, true])
    })
  }
})

test('a project whose requests hang in the other cell holds no other project of that cell', async () => {
  lie = (head, socket) => {
    if (!head.includes('/hang')) socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}')
  }
  const stop = new AbortController()
  let refused = 0
  const hanging = Array.from({ length: 200 }, () =>
    fetch(`${api.url}/api/v1/members/hang`, {
      headers: { authorization: `Bearer ${moved.live.key}` },
      signal: stop.signal,
    }).then(
      () => {
        refused += 1
      },
      () => undefined,
    ),
  )
  await within(10_000, () => expect([open.size, refused]).toEqual([128, 72]))
  // The test side is another project to the data.
  expect((await ask(moved.live.key)).status).toBe(503)
  expect(await ask(moved.test.key)).toMatchObject({ status: 200, text: '{}' })
  stop.abort()
  await Promise.all(hanging)
  await within(5_000, () => expect(open.size).toBe(0))
  expect(await ask(moved.live.key)).toMatchObject({ status: 200 })
  await expectSound()
})
