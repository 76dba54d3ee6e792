import type { FastifyRequest } from 'fastify'
import { invalidParameters } from '#platform/errors.ts'
import type { StreamQuery } from './schema.ts'

/** Numbers that a log never reaches are no numbers of ours. */
const NUMBER = /^\d{1,15}$/

/**
 * Behind which number a stream goes on; undefined where it begins now. The header is newer than the address: a browser
 * sends it when it connects again.
 * @throws ApiError 400
 */
export function lastEventIdOf(request: FastifyRequest): number | undefined {
  const header = request.headers['last-event-id']
  const { last_event_id } = request.query as StreamQuery
  const [field, sent] =
    header === undefined || header === ''
      ? ['last_event_id', last_event_id]
      : ['Last-Event-ID', String(header)]
  if (sent === undefined) return undefined
  if (!NUMBER.test(sent))
    throw invalidParameters([{ field, rule: 'number', message: 'must be an `id` that a stream has sent' }])
  return Number(sent)
}
