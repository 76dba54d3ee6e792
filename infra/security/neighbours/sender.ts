/**
 * The process of an abuser: it sends requests in turn over some connections until its time is up. What the calm client
 * measures is not delayed by the answers that are read here.
 */
import { Agent, type ClientRequest, type IncomingMessage, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { AbuseRequest } from './abuse.ts'
import type { Attack, Sent } from './attack.ts'

/** Of all connections together, a second; of a loopback that others use too. */
const MOST_PER_SECOND = 500
const BYTE_INTERVAL_MS = 50
/** Read of an answer to a 5xx. */
const SHOWN = 300

async function run(attack: Attack): Promise<Sent> {
  const { seconds, connections, requests } = attack
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const statuses: Record<string, number> = {}
  let firstFault: string | undefined
  let serial = 0
  const deadline = AbortSignal.timeout(seconds * 1_000)
  const interval = (1_000 * connections) / MOST_PER_SECOND
  const loop = async () => {
    while (!deadline.aborted) {
      const begun = performance.now()
      const n = ++serial
      const wanted = requests[n % requests.length] as AbuseRequest
      const { status, fault } = await send(attack, wanted, { n, agent, deadline })
      if (status !== 'given up') statuses[status] = (statuses[status] ?? 0) + 1
      firstFault ??= fault
      const wait = interval - (performance.now() - begun)
      if (wait > 0) await sleep(wait)
    }
  }
  await Promise.all(Array.from({ length: connections }, loop))
  agent.destroy()
  return { statuses, ...(firstFault !== undefined && { firstFault }) }
}

interface Ending {
  readonly status: string
  readonly fault?: string
}

interface Place {
  readonly n: number
  readonly agent: Agent
  readonly deadline: AbortSignal
}

function send(attack: Attack, wanted: AbuseRequest, { n, agent, deadline }: Place): Promise<Ending> {
  const filled = (text: string) => text.replaceAll('{n}', String(n))
  const body = wanted.body === undefined ? undefined : filled(wanted.body)
  const headers = Object.entries({ 'x-forwarded-for': attack.address, ...wanted.headers })
  const { hostname, port } = new URL(attack.origin)
  return new Promise((resolve) => {
    const sent = request({
      host: hostname,
      port,
      agent,
      method: wanted.method,
      path: `/api/v1${filled(wanted.path)}`,
      headers: {
        ...Object.fromEntries(headers.map(([name, value]) => [name, filled(value)])),
        ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }),
      },
      signal: deadline,
    })
    const broken = (error: Error) =>
      resolve(deadline.aborted ? { status: 'given up' } : { status: 'broken', fault: error.message })
    sent.on('error', broken)
    sent.on('response', (answer) => {
      answer.on('error', broken)
      if (attack.manner === 'slow-download') readSlowly(answer, deadline)
      readAnswer(answer, resolve)
    })
    if (attack.manner === 'slow-upload' && body !== undefined) void sendSlowly(sent, body, deadline)
    else sent.end(body)
  })
}

/** What says when to ask again is an answer as documented. */
function readAnswer(answer: IncomingMessage, resolve: (ending: Ending) => void): void {
  const status = answer.statusCode ?? 0
  const isAskedToWait = status === 503 && answer.headers['retry-after'] !== undefined
  let text = ''
  answer.on('data', (chunk: Buffer) => {
    if (status >= 500 && text.length < SHOWN) text += chunk.toString()
  })
  answer.on('end', () => {
    if (isAskedToWait) resolve({ status: 'later' })
    else resolve({ status: String(status), ...(status >= 500 && { fault: text.slice(0, SHOWN) }) })
  })
}

/** Takes a chunk now and then; what the sockets' buffers hold stays there meanwhile. */
function readSlowly(answer: IncomingMessage, deadline: AbortSignal): void {
  answer.on('data', async () => {
    answer.pause()
    await sleep(BYTE_INTERVAL_MS * 20, undefined, { signal: deadline }).catch(() => undefined)
    answer.resume()
  })
}

async function sendSlowly(sent: ClientRequest, body: string, deadline: AbortSignal): Promise<void> {
  for (const byte of body) {
    if (deadline.aborted || sent.destroyed) return
    sent.write(byte)
    await sleep(BYTE_INTERVAL_MS, undefined, { signal: deadline }).catch(() => undefined)
  }
  sent.end()
}

process.once('message', async (attack: Attack) => {
  process.send?.(await run(attack))
  process.disconnect()
})
// Without its parent there is nobody to report to.
process.once('disconnect', () => process.exit())
