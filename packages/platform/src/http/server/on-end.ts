import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Api } from '../api.ts'

/** What proxies log of a request whose client went before an answer began. */
const CLIENT_WENT = 499

/** How a request ended. */
export interface End {
  /** That of the answer; 499 where none had begun when the client went. */
  readonly status: number
  /** Whether the client went before it had all of the answer. */
  readonly isAborted: boolean
}

/**
 * Calls `work` once for each request: when its answer was sent, or when its client has gone before. Fastify's `onResponse` is not called
 * for the second, so a request that waits for a server that does not answer would leave no trace.
 */
export function onEnd(
  api: Api,
  work: (request: FastifyRequest, reply: FastifyReply, end: End) => void,
): void {
  api.addHook('onRequest', (request, reply, done) => {
    reply.raw.once('close', () => {
      const { writableFinished, errored, headersSent } = reply.raw
      // Fastify calls `onResponse` for all others.
      if (!request.raw.socket.destroyed || writableFinished || errored) return
      work(request, reply, { status: headersSent ? reply.statusCode : CLIENT_WENT, isAborted: true })
    })
    done()
  })
  api.addHook('onResponse', (request, reply, done) => {
    work(request, reply, { status: reply.statusCode, isAborted: false })
    done()
  })
}
