/** Clients of streams, in a process of their own: so many connections, and how late events arrive. */
import { request } from 'node:http'
import { monitorEventLoopDelay } from 'node:perf_hooks'

/** What the process is asked for. */
export interface ListenOrder {
  readonly origin: string
  readonly streams: readonly {
    readonly topic: string
    readonly authorization: string
    readonly member: string
  }[]
}

/** What it answers. */
export type ListenReport =
  | { readonly kind: 'open'; readonly failed: number }
  | {
      readonly kind: 'delays'
      readonly delays: readonly number[]
      /** Milliseconds by which the event loop of the clients was late: the events did not arrive then, but were read then. */
      readonly clientP99: number
    }

/** Streams that are opened at a time. */
const AT_ONCE = 50

let delays: number[] = []
const loop = monitorEventLoopDelay({ resolution: 5 })
const report = (message: ListenReport) => process.send?.(message)

/** When an event was emitted, as its message says. */
const TIMESTAMP = /"timestamp":"([^"]+)"/g

function open(
  origin: string,
  { topic, authorization, member }: ListenOrder['streams'][number],
): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const sent = request(
    `${origin}/api/v1/stream?topics=${topic}`,
    { agent: false, headers: { authorization, 'x-user-id': member } },
    (answer) => {
      answer.setEncoding('utf8')
      let rest = ''
      answer.on('data', (chunk: string) => {
        const now = Date.now()
        const whole = rest + chunk
        const end = whole.lastIndexOf('\n\n')
        rest = whole.slice(end + 1)
        const text = whole.slice(0, end + 1)
        for (const [, at = ''] of text.matchAll(TIMESTAMP)) delays.push(now - Date.parse(at))
      })
      answer.on('error', () => undefined)
      resolve(answer.statusCode === 200)
    },
  )
  sent.on('error', () => resolve(false))
  sent.end()
  return promise
}

process.on('message', async (message: ListenOrder | 'delays') => {
  if (message === 'delays') {
    report({ kind: 'delays', delays, clientP99: loop.percentile(99) / 1e6 })
    delays = []
    return
  }
  let failed = 0
  let next = 0
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let stream = message.streams[next++]; stream !== undefined; stream = message.streams[next++])
        if (!(await open(message.origin, stream))) failed += 1
    }),
  )
  loop.enable()
  report({ kind: 'open', failed })
})
process.on('disconnect', () => process.exit())
