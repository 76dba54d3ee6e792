import type { Options } from './calls.ts'
import type { Guildhall } from './client.ts'
import { GuildhallError } from './errors.ts'

/** One event of a stream. A newer API may send types that are not known here. */
export interface StreamEvent {
  /** The place in the stream: with it as `lastEventId`, a stream goes on after this event. */
  readonly id: string
  /** Such as `notification.created`. `reset`: events were lost, so read again what you show. */
  readonly type: string
  readonly timestamp?: string
  /** The id of the event, where it is sent as webhooks send it: they have it as `webhook-id`. */
  readonly event_id?: string
  readonly data?: unknown
}

export interface StreamOptions extends Pick<Options, 'signal' | 'actingMember'> {
  readonly topics: readonly string[]
  /** Goes on after the event with this id. */
  readonly lastEventId?: string
  /** Called each time the stream is open: from then on no event is missed. */
  readonly onOpen?: () => void
  /** Called when the connection has broken, or could not be opened, before it is opened again. */
  readonly onBreak?: (error: unknown) => void
}

const FIRST_WAIT_MS = 1_000
const LONGEST_WAIT_MS = 30_000

/**
 * The events of the topics as they happen. A stream that breaks is opened again after the last event that came; it ends with
 * its signal, or when the caller leaves the loop.
 * @throws GuildhallError where the stream is refused
 */
export async function* streamEvents(
  guildhall: Guildhall,
  { topics, lastEventId, signal, actingMember, onOpen, onBreak }: StreamOptions,
): AsyncGenerator<StreamEvent, void, undefined> {
  const controller = new AbortController()
  const ended = signal ? AbortSignal.any([signal, controller.signal]) : controller.signal
  let last = lastEventId
  let failures = 0
  try {
    while (!ended.aborted) {
      let response: Response | undefined
      try {
        const query = { topics: topics.join(','), ...(last !== undefined && { last_event_id: last }) }
        response = await guildhall.stream.open(query, { signal: ended, actingMember })
        let isOpen = false
        for await (const message of messagesOf(response)) {
          failures = 0
          // The first message says where the stream begins.
          if (!isOpen) onOpen?.()
          isOpen = true
          if (message.id !== '') last = message.id
          if (message.event === 'end' || message.data === '') continue
          yield { ...JSON.parse(message.data), id: last ?? '' }
        }
        onBreak?.(undefined)
      } catch (error) {
        if (ended.aborted) return
        // What broke while it was read is opened again; what was refused is not.
        if (response === undefined && !isForNow(error)) throw error
        onBreak?.(error)
      }
      await wait(
        Math.min(FIRST_WAIT_MS * 2 ** failures++, LONGEST_WAIT_MS) * (0.5 + Math.random() / 2),
        ended,
      )
    }
  } finally {
    controller.abort()
  }
}

/** No answer, or one of a server that is in trouble. */
const isForNow = (error: unknown): boolean =>
  error instanceof GuildhallError && (error.status === undefined || error.status >= 500)

function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, milliseconds)
    signal.addEventListener('abort', end)
  })
}

interface Message {
  readonly id: string
  readonly event: string
  readonly data: string
}

/** The messages of a stream, as HTML defines them. What is cut off at its end is dropped. */
export async function* messagesOf(response: Response): AsyncGenerator<Message, void, undefined> {
  if (response.body === null) return
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    text += value
    const blocks = text.replaceAll('\r\n', '\n').split('\n\n')
    text = blocks.pop() ?? ''
    for (const block of blocks) yield toMessage(block)
  }
}

function toMessage(block: string): Message {
  const fields = new Map<string, string>()
  for (const line of block.split('\n')) {
    const [, name = '', value = ''] = /^([^:]*):? ?(.*)$/.exec(line) ?? []
    const before = fields.get(name)
    fields.set(name, name === 'data' && before !== undefined ? `${before}\n${value}` : value)
  }
  return { id: fields.get('id') ?? '', event: fields.get('event') ?? '', data: fields.get('data') ?? '' }
}
