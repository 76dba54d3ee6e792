/**
 * The process that sends load: a closed loop over a fixed number of connections, without pipelining. Of an answer it
 * reads its status and its length and nothing else: a whole HTTP client takes as long over the headers of an answer as
 * a bare server over the request, and both share the machine with what is measured.
 */
import { connect, type Socket } from 'node:net'
import { createHistogram } from 'node:perf_hooks'
import type { Load, Outcome } from './load.ts'

const HEAD_END = '\r\n\r\n'

type Dialogue = (request: string) => Promise<{ status: number; text: string }>
interface Client {
  readonly socket: Socket
  readonly ask: Dialogue
}

/** Goes on over all loads of this process. */
let serial = 0

/** Sends requests until the time is up, and waits for the last answers. */
async function run(load: Load): Promise<Outcome> {
  const { hostname, port, host } = new URL(load.origin)
  const next = requestsOf(load, host)
  const latencies = createHistogram()
  const failures: string[] = []
  let answered = 0
  const clients = await Promise.all(
    Array.from({ length: load.connections }, () => connected(hostname, Number(port), host)),
  )

  const start = performance.now()
  const end = start + load.seconds * 1_000
  const loop = async (ask: Dialogue) => {
    for (let sentAt = start; sentAt < end; sentAt = performance.now()) {
      const { status, text } = await ask(next())
      answered++
      latencies.record(Math.max(1, Math.round((performance.now() - sentAt) * 1_000)))
      const isGood = load.expects?.includes(status) ?? (status > 199 && status < 300)
      if (!isGood) failures.push(text)
    }
  }
  await Promise.all(
    clients.map(({ socket, ask }) =>
      loop(ask)
        .catch((error: Error) => failures.push(error.message))
        .finally(() => socket.destroy()),
    ),
  )

  const seconds = (performance.now() - start) / 1_000
  return {
    answered,
    requestsPerSecond: answered / seconds,
    p50: latencies.percentile(50) / 1_000,
    p99: latencies.percentile(99) / 1_000,
    errors: failures.length,
    firstError: failures[0],
  }
}

/** Makes the requests, one after the other. */
function requestsOf(load: Load, host: string): () => string {
  const { method, pathsByProject, authorizations, headers = {}, body } = load
  const bodies = (body === undefined ? [] : [body].flat()).map((text) => text.split('{n}'))
  const heads = (
    authorizations.length > 0 ? authorizations.map((value) => `authorization: ${value}\r\n`) : ['']
  ).map((line) => ` HTTP/1.1\r\nhost: ${host}\r\n${line}`)
  const more = (n: number) =>
    Object.entries(headers)
      .map(([name, values]) => `${name}: ${values[n % values.length]?.replace('{n}', String(n))}\r\n`)
      .join('')
  return () => {
    serial++
    const paths = pathsByProject?.[serial % pathsByProject.length] ?? load.paths
    const path = paths[Math.floor(Math.random() * paths.length)]
    const head = `${method} ${path}${heads[serial % heads.length]}${more(serial)}`
    const parts = bodies[serial % bodies.length]
    if (parts === undefined) return `${head}\r\n`
    const json = parts.join(String(serial))
    return `${head}content-type: application/json\r\ncontent-length: ${Buffer.byteLength(json)}${HEAD_END}${json}`
  }
}

/**
 * A connection that the server has accepted, which its first answer shows. Node accepts one connection in a turn of its
 * event loop, however many wait. The 49th of a busy server waits for as many turns, and none of that is the time of a
 * request.
 */
async function connected(name: string, port: number, host: string): Promise<Client> {
  const socket = await open(name, port)
  const ask = dialogue(socket)
  await ask(`GET /healthz HTTP/1.1\r\nhost: ${host}${HEAD_END}`)
  return { socket, ask }
}

function open(host: string, port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, noDelay: true }, () => resolve(socket))
    socket.once('error', reject)
  })
}

/** One request after the other on a connection; each answer must say its length. */
function dialogue(socket: Socket): Dialogue {
  let waiting: PromiseWithResolvers<{ status: number; text: string }> | undefined
  let received = ''
  socket.setEncoding('latin1')
  socket.on('data', (chunk: string) => {
    received += chunk
    const headEnd = received.indexOf(HEAD_END)
    if (headEnd < 0) return
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(received)?.[1])
    if (received.length < headEnd + HEAD_END.length + length) return
    const answer = { status: Number(received.slice(9, 12)), text: received }
    received = ''
    waiting?.resolve(answer)
  })
  socket.on('error', (error) => waiting?.reject(error))
  socket.on('close', () => waiting?.reject(new Error('the server closed the connection')))
  return (request) => {
    waiting = Promise.withResolvers()
    socket.write(request, 'latin1')
    return waiting.promise
  }
}

process.on('message', async (load: Load) => process.send?.(await run(load)))
// Without its bench there is nobody to report to.
process.once('disconnect', () => process.exit())
