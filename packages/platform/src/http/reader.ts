import type { FastifyRequest } from 'fastify'
import type { Reader } from '../db/cancel.ts'

/** The client of a request, as far as it can go away. */
export function clientOf({ raw: { socket } }: FastifyRequest): Reader {
  return {
    get isGone() {
      return socket.destroyed
    },
    onGone: (listener) => {
      socket.once('close', listener)
      return () => socket.off('close', listener)
    },
  }
}

/** The client, where the request only reads: work that writes is finished for a client that has gone, too. */
export const readerOf = (request: FastifyRequest): Reader | undefined =>
  request.method === 'GET' || request.routeOptions.config.onlyReads === true ? clientOf(request) : undefined
