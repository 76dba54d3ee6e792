import { Socket } from 'node:net'
import type { FastifyReply } from 'fastify'
import type { Asker } from '#platform/catalogue/topic.ts'
import type { ProjectData } from '#platform/db/tenant.ts'
import { unavailable } from '#platform/storage/unavailable.ts'
import { lastPosition, nextIsKept } from '../queries.ts'
import type { OpenedTopics } from '../topics.ts'
import type { Hub } from './hub.ts'
import { OpenStream } from './open-stream.ts'
import type { ProjectReader } from './project-reader.ts'
import type { StreamSlots } from './slots.ts'
import { type Listener, markOf } from './standing.ts'

interface Place {
  readonly hub: Hub
  readonly slots: StreamSlots
  readonly data: ProjectData
}

interface Wanted {
  readonly reply: FastifyReply
  readonly listener: Listener
  readonly asker: Asker
  readonly opened: OpenedTopics
  /** The topics as they were sent. */
  readonly texts: readonly string[]
  /** The number behind which it goes on; undefined: it begins now. */
  readonly after: number | undefined
  /** How many changes the hub had seen before the listener was looked up. */
  readonly changes: number
  /** Uses up the ticket. */
  readonly take: (() => Promise<void>) | undefined
}

/**
 * Answers with a stream. Until it begins, errors are answered as everywhere.
 * @throws ApiError 401 for a ticket that somebody else has used; 429, 503 where too many streams are open
 */
export async function openStream(place: Place, wanted: Wanted): Promise<void> {
  const { hub, slots, data } = place
  const { reply, listener, opened, texts, after, asker, changes } = wanted
  if (hub.isClosed) throw unavailable('The server is shutting down: try again')
  const giveBack = slots.take(listener)
  let leave: () => void = giveBack
  let reader: ProjectReader
  let isLost: boolean
  try {
    const used = await hub.readerOf(listener.projectId)
    reader = used.reader
    leave = () => {
      used.leave()
      giveBack()
    }
    isLost = after !== undefined && !(await canResume(data, after))
    await wanted.take?.()
  } catch (error) {
    leave()
    throw error
  }
  const stream = new OpenStream(beginAnswer(reply), {
    listener,
    topics: opened,
    position: after === undefined || isLost ? reader.position : after,
    onOver: (over) => {
      reader.leave(over)
      hub.delete(over)
      leave()
    },
  })
  if (stream.isOver) return
  hub.add(stream, { texts, mark: markOf(asker), changes })
  if (isLost) stream.reset(reader.position)
  stream.begin()
  // A request that was injected has no connection, and whoever sent it waits for the end of the answer.
  if (!(reply.raw.socket instanceof Socket)) {
    stream.end('shutting_down')
    return
  }
  reader.join(stream).catch((error) => {
    reply.log.warn({ err: error }, 'a stream could not be resumed; its client tries again')
    stream.cut()
  })
}

/** Whether all that happened behind a number is still there. */
async function canResume(data: ProjectData, after: number): Promise<boolean> {
  const { last = 0, kept } = await data.read({ last: lastPosition(), kept: nextIsKept({ after }) })
  return after === last || (after < last && kept === true)
}

/** Sends the headers. From here on nothing of Fastify touches the answer. */
function beginAnswer(reply: FastifyReply) {
  const headers = reply.getHeaders()
  reply.hijack()
  const { raw } = reply
  // Without chunks, an event that many clients get is written as it is.
  raw.useChunkedEncodingByDefault = false
  raw.shouldKeepAlive = false
  raw.writeHead(200, {
    ...(headers as Record<string, string>),
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    // Proxies that collect answers before they pass them on are asked not to.
    'x-accel-buffering': 'no',
  })
  return raw
}
