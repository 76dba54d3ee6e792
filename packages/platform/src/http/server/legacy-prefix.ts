import type { IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'

const LEGACY = '/sdk/'
const CURRENT = '/api/v1/'
/** When /sdk was deprecated, as RFC 9745 wants it: 2026-11-21 in Unix time. */
const DEPRECATED_SINCE = '@1795219200'

/** The deprecated prefix /sdk answers as /api/v1. */
export function toSuccessor(request: IncomingMessage): string {
  const url = request.url ?? '/'
  return url.startsWith(LEGACY) ? CURRENT + url.slice(LEGACY.length) : url
}

/** Tells callers of the deprecated prefix where to go. */
export function successorLink(request: FastifyRequest, reply: FastifyReply): void {
  if (!request.originalUrl.startsWith(LEGACY)) return
  reply.header('deprecation', DEPRECATED_SINCE)
  reply.header('link', `<${request.url.split('?')[0]}>; rel="successor-version"`)
}
