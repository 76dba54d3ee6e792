/** Those who take webhooks, well or badly, and remember what they saw. */
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'

/** How a receiver behaves. */
export type Manner =
  | 'healthy'
  /** Healthy, but its answers take long enough for a process to die while it waits for one. */
  | 'thoughtful'
  | 'black hole'
  | 'slow'
  | 'flapping'
  | 'trickling'
  | 'endless'
  | 'gzip bomb'
  | 'closing'
  | 'refusing'

export interface Receiver {
  readonly url: string
  readonly manner: Manner
  /** Times, in milliseconds since 1970, at which each message came. */
  readonly seen: ReadonlyMap<string, readonly number[]>
  /** Messages that were refused once, and so have to come again. */
  readonly refused: ReadonlySet<string>
  /** Messages whose time receivers' clocks would refuse. */
  readonly untimely: readonly string[]
  close(): Promise<void>
}

const THOUGHT_MS = 60
const SLOW_MS = 30_000
/** What the libraries of Standard Webhooks tolerate. */
const TOLERANCE_MS = 5 * 60_000
const BOMB = gzipSync(Buffer.alloc(50_000_000))

/** Opens a receiver on a port of its own. */
export async function openReceiver(manner: Manner): Promise<Receiver> {
  const seen = new Map<string, number[]>()
  const refused = new Set<string>()
  const untimely: string[] = []
  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    request.resume()
    request.on('end', () => {
      const id = String(request.headers['webhook-id'])
      const times = seen.get(id) ?? []
      seen.set(id, [...times, Date.now()])
      const timestamp = Number(request.headers['webhook-timestamp']) * 1_000
      if (Math.abs(Date.now() - timestamp) > TOLERANCE_MS) untimely.push(id)
      MANNERS[manner](response, () => refused.size < refused.add(id).size)
    })
  })
  // Nobody listens where everybody is refused.
  const port = await listen(server)
  if (manner === 'refusing') await close(server)
  return {
    url: `http://127.0.0.1:${port}/hooks`,
    manner,
    seen,
    refused,
    untimely,
    close: () => (manner === 'refusing' ? Promise.resolve() : close(server)),
  }
}

/** What each does with a request; `refuse` says whether the message may be refused, which is once. */
const MANNERS: Readonly<Record<Manner, (response: ServerResponse, refuse: () => boolean) => unknown>> = {
  healthy: (response) => response.end('ok'),
  thoughtful: (response) => setTimeout(() => response.end('ok'), THOUGHT_MS),
  'black hole': () => undefined,
  slow: (response) => setTimeout(() => response.end('ok'), SLOW_MS),
  flapping: (response, refuse) =>
    Math.random() < 0.5 && refuse() ? response.writeHead(503).end('later') : response.end('ok'),
  trickling: (response) => {
    const timer = setInterval(() => response.write('.'), 1_000)
    response.on('close', () => clearInterval(timer))
  },
  endless: (response) => {
    const chunk = Buffer.alloc(65_536, 'x')
    const pour = () => {
      while (!response.destroyed && response.write(chunk));
    }
    response.on('drain', pour)
    pour()
  },
  'gzip bomb': (response) => response.setHeader('content-encoding', 'gzip').end(BOMB),
  closing: (response) => {
    response.writeHead(200, { 'content-length': 1_000 }).write('so far')
    setTimeout(() => response.destroy(), 20)
  },
  refusing: () => undefined,
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

function close(server: Server): Promise<void> {
  server.closeAllConnections()
  return new Promise((resolve) => server.close(() => resolve()))
}
