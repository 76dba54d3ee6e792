import type { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'

/**
 * Answers what a stream brings. One that fails when a part of it has been sent ends the connection so that no client can
 * take it for the end: the last chunk is never sent, and the connection is reset.
 */
export function sendStream(reply: FastifyReply, stream: Readable): FastifyReply {
  stream.once('error', (error) => {
    if (!reply.raw.headersSent || reply.raw.destroyed) return
    reply.log.warn({ err: error }, 'an answer broke off')
    reply.raw.socket?.resetAndDestroy()
  })
  return reply.send(stream)
}
