import type { Socket } from 'node:net'
import type { FastifyRequest } from 'fastify'
import type { Reader } from '../db/cancel.ts'

/** A class, because every request that reads has one, and an object with a getter of its own takes several times as long. */
class Client implements Reader {
  readonly #socket: Socket

  constructor(socket: Socket) {
    this.#socket = socket
  }

  get isGone(): boolean {
    return this.#socket.destroyed
  }

  onGone(listener: () => void): () => void {
    this.#socket.once('close', listener)
    return () => this.#socket.off('close', listener)
  }
}

/** The client of a request, as far as it can go away. */
export const clientOf = ({ raw: { socket } }: FastifyRequest): Reader => new Client(socket)

/** The client, where the request only reads: work that writes is finished for a client that has gone, too. */
export const readerOf = (request: FastifyRequest): Reader | undefined =>
  request.method === 'GET' || request.routeOptions.config.onlyReads === true ? clientOf(request) : undefined
