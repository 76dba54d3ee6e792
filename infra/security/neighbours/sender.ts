/**
 * The process of an abuser: it sends requests in turn over some connections until its time is up. What the calm client
 * measures is not delayed by the answers that are read here.
 */
import { Agent, type IncomingMessage, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { AbuseRequest } from './abuse.ts'
import type { Attack, Sent } from './attack.ts'
import { sendByTheByte } from './by-the-byte.ts'
import { type Ending, type Filled, isAskedToWait } from './ending.ts'

/** Of all connections together, a second; of a loopback that others use too. */
const MOST_PER_SECOND = 500
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

interface Place {
  readonly n: number
  readonly agent: Agent
  readonly deadline: AbortSignal
}

function send(
  { origin, address, manner }: Attack,
  wanted: AbuseRequest,
  { n, agent, deadline }: Place,
): Promise<Ending> {
  const filled = fill(wanted, n, address)
  const place = new URL(origin)
  if (manner !== 'plain') return sendByTheByte(place, filled, manner, deadline)
  const { method, path, body, headers } = filled
  return new Promise((resolve) => {
    const sent = request({
      ...{ host: place.hostname, port: place.port, agent, method, path, signal: deadline },
      headers: { ...headers, ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }) },
    })
    const broken = (error: Error) =>
      resolve(deadline.aborted ? { status: 'given up' } : { status: 'broken', fault: error.message })
    sent.on('error', broken)
    sent.on('response', (answer) => {
      answer.on('error', broken)
      readAnswer(answer, resolve)
    })
    sent.end(body)
  })
}

/** The request with the number `n`. */
function fill(
  { method, path, headers, body, values = [] }: AbuseRequest,
  n: number,
  address: string,
): Filled {
  const value = values[n % values.length] ?? ''
  const filled = (text: string) => text.replaceAll('{n}', String(n)).replaceAll('{value}', value)
  return {
    method,
    path: `/api/v1${filled(path)}`,
    headers: Object.fromEntries(
      Object.entries({ 'x-forwarded-for': address, ...headers }).map(([name, value]) => [
        name,
        filled(value),
      ]),
    ),
    body: body === undefined ? undefined : filled(body),
  }
}

function readAnswer(answer: IncomingMessage, resolve: (ending: Ending) => void): void {
  const status = answer.statusCode ?? 0
  let text = ''
  answer.on('data', (chunk: Buffer) => {
    if (status >= 500 && text.length < SHOWN) text += chunk.toString()
  })
  answer.on('end', () => {
    if (isAskedToWait(status, answer.headers['retry-after'])) resolve({ status: 'later' })
    else resolve({ status: String(status), ...(status >= 500 && { fault: text.slice(0, SHOWN) }) })
  })
}

process.once('message', async (attack: Attack) => {
  process.send?.(await run(attack))
  process.disconnect()
})
// Without its parent there is nobody to report to.
process.once('disconnect', () => process.exit())
