import {
  Agent,
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import type { TestApi } from '#testkit/api.ts'
import { makeProjects, type Side } from '#testkit/factories.ts'
import { SOON } from '#testkit/soon.ts'
import { withOwnApi } from '#testkit/with-api.ts'
import { newCellSecret } from '../../cells/cell-secret.ts'
import { addCell } from '../../cells/manage-cells.ts'

const CLIENT = '198.51.100.7'
const PATH = '/api/v1/members'

let api: TestApi
let side: Side
const lines: string[] = []
/** What the other cell does with a request. */
let answer: (request: IncomingMessage, response: ServerResponse) => unknown = (_request, response) =>
  response.end('{}')
const cell = createServer((request, response) => answer(request, response))

withOwnApi(
  () => ({ logTo: (line) => lines.push(line), environment: { TRUST_PROXY: '127.0.0.0/8' } }),
  async (opened) => {
    api = opened
    const [moved] = await makeProjects(api)
    side = moved.live
    await new Promise<void>((resolve) => cell.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(cell.address() as AddressInfo).port}`
    await addCell(api.owner, api.config, { name: 'other', url, secret: newCellSecret(), allowHttp: true })
    await api.owner.query("insert into project_locations (id, cell) values ($1, 'other')", [side.projectId])
    await vi.waitFor(() => expect(api.deps.projectStates.cellsOfMoved).toContain('other'), SOON)
  },
)
afterAll(() => {
  cell.closeAllConnections()
  cell.close()
})

const agent = new Agent({ keepAlive: true, maxSockets: 1 })
afterAll(() => agent.destroy())

/** Begins an upload from behind a proxy. */
function upload(body: string | Buffer) {
  const headers = {
    authorization: `Bearer ${side.key}`,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    'x-forwarded-for': CLIENT,
  }
  const sent = httpRequest(api.url + PATH, { method: 'POST', headers, agent })
  onTestFinished(() => {
    sent.destroy()
  })
  const status = new Promise<number | undefined>((resolve, reject) => {
    sent.on('error', reject)
    sent.on('response', (response) => response.resume().on('end', () => resolve(response.statusCode)))
  })
  const socket = new Promise<Socket>((resolve) => sent.once('socket', resolve))
  sent.end(body)
  return { sent, status, socket }
}

const logged = () => lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request')

test('a forwarded upload has a line with the address of its client', async () => {
  let got = ''
  answer = (request, response) => {
    request.on('data', (chunk) => {
      got += chunk
    })
    request.on('end', () => response.writeHead(201).end('{}'))
  }
  lines.length = 0
  expect(await upload('{"external_id":"a"}').status).toBe(201)
  expect(got).toBe('{"external_id":"a"}')
  await expect
    .poll(logged, SOON)
    .toEqual([expect.objectContaining({ method: 'POST', status: 201, cell: 'other', address: CLIENT })])
})

test('a forwarded upload whose client goes before the answer has such a line, too', async () => {
  let hasArrived = false
  answer = (request) => request.resume().on('end', () => (hasArrived = true))
  lines.length = 0
  const { sent, status } = upload('{"external_id":"b"}')
  await expect.poll(() => hasArrived, SOON).toBe(true)
  sent.destroy()
  await expect(status).rejects.toThrow()
  await expect
    .poll(logged, SOON)
    .toEqual([expect.objectContaining({ status: 499, aborted: true, cell: 'other', address: CLIENT })])
})

/** Sends a large upload and another one, whose answer comes on the same connection: nothing of the first holds it up. */
async function uploadTwice(statuses: readonly [number, number], between: () => unknown = () => undefined) {
  const first = upload(Buffer.alloc(8_000_000, ' '))
  expect(await first.status).toBe(statuses[0])
  between()
  const second = upload('{}')
  expect(await second.status).toBe(statuses[1])
  expect(await second.socket).toBe(await first.socket)
}

const take = () => {
  answer = (request, response) => request.resume().on('end', () => response.writeHead(201).end('{}'))
}

test('the next upload comes on the same connection where the other cell answers before it has read the first', async () => {
  answer = (_request, response) => response.writeHead(413).end('{}')
  await uploadTwice([413, 201], take)
})

test('an upload to a cell that breaks the connection is 503, and the next comes on the same connection', async () => {
  answer = (request) => request.socket.destroy()
  await uploadTwice([503, 201], take)
})

test('an upload to a cell that is away is 503, and the next comes on the same connection', async () => {
  const { port } = cell.address() as AddressInfo
  const closed = new Promise((resolve) => cell.close(resolve))
  cell.closeAllConnections()
  await closed
  onTestFinished(() => new Promise<void>((resolve) => cell.listen(port, '127.0.0.1', resolve)))
  await uploadTwice([503, 503])
})
