import { type ClientRequest, request } from 'node:http'
import { onTestFinished } from 'vitest'

/** An event that a stream has sent. */
export interface ReceivedEvent {
  readonly id: number
  readonly event: string
  readonly data: {
    readonly type: string
    readonly timestamp: string
    readonly data: Record<string, unknown>
    /** Of events as webhooks send them. */
    readonly event_id?: string
    readonly reason?: string
  }
}

/** A client of a stream. */
export interface ListeningClient {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** Events, in the order in which they came. */
  readonly events: ReceivedEvent[]
  /** The last `id`, which need not be of an event. */
  lastId(): number | undefined
  /** Comments so far. */
  comments(): number
  /** The body of an answer that is no stream. */
  readonly body: Promise<
    { code: string; reason?: string; details?: { field: string }[]; limit?: unknown } | undefined
  >
  isOver(): boolean
  /** Stops reading, without closing. */
  pause(): void
  resume(): void
  close(): void
}

interface Asked {
  readonly topics?: readonly string[]
  readonly ticket?: string
  readonly key?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly after?: number | string
}

/** Opens a stream as a browser or a server does. It is closed when the test is over. @param url of the API */
export function listenTo(
  url: string,
  { topics, ticket, key, headers = {}, after }: Asked,
): Promise<ListeningClient> {
  const query = new URLSearchParams({
    ...(topics && { topics: topics.join(',') }),
    ...(ticket !== undefined && { ticket }),
  })
  const { promise, resolve, reject } = Promise.withResolvers<ListeningClient>()
  const sent: ClientRequest = request(
    `${url}/api/v1/stream?${query}`,
    {
      agent: false,
      headers: {
        ...(key !== undefined && { authorization: `Bearer ${key}` }),
        ...(after !== undefined && { 'last-event-id': String(after) }),
        ...headers,
      },
    },
    (answer) => {
      const events: ReceivedEvent[] = []
      let text = ''
      let last: number | undefined
      let comments = 0
      let over = false
      const ended = Promise.withResolvers<void>()
      const take = (block: string) => {
        const fields = new Map<string, string>()
        for (const line of block.split('\n')) {
          if (line.startsWith(':')) comments += 1
          const at = line.indexOf(': ')
          if (at > 0) fields.set(line.slice(0, at), line.slice(at + 2))
        }
        if (fields.has('id')) last = Number(fields.get('id'))
        const data = fields.get('data')
        if (data !== undefined)
          events.push({ id: last ?? -1, event: fields.get('event') ?? '', data: JSON.parse(data) })
      }
      const isStream = String(answer.headers['content-type']).startsWith('text/event-stream')
      answer.setEncoding('utf8')
      answer.on('data', (chunk: string) => {
        text += chunk
        if (!isStream) return
        for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
          take(text.slice(0, end))
          text = text.slice(end + 2)
        }
      })
      const finish = () => {
        over = true
        ended.resolve()
      }
      answer.on('end', finish).on('close', finish).on('error', finish)
      resolve({
        status: answer.statusCode ?? 0,
        headers: answer.headers,
        events,
        lastId: () => last,
        comments: () => comments,
        body: isStream ? Promise.resolve(undefined) : ended.promise.then(() => JSON.parse(text)),
        isOver: () => over,
        pause: () => answer.pause(),
        resume: () => answer.resume(),
        close: () => sent.destroy(),
      })
    },
  )
  sent.on('error', reject)
  onTestFinished(() => {
    sent.destroy()
  })
  sent.end()
  return promise
}
