import type { FastifyReply, FastifyRequest } from 'fastify'
import { invalidParameters } from '#platform/errors.ts'
import { parseId, type Resource, toId } from '#platform/ids.ts'

/**
 * Where a list goes on: behind the record whose id the cursor is.
 * @returns its stored id, or undefined at the beginning
 * @throws ApiError 400 for a cursor that is none
 */
export function afterCursor(resource: Resource, cursor: string | undefined): string | undefined {
  if (cursor === undefined) return undefined
  const id = parseId(resource, Buffer.from(cursor, 'base64url').toString())
  if (id === undefined)
    throw invalidParameters([{ field: 'cursor', rule: 'cursor', message: 'is not a cursor of this list' }])
  return id
}

/** Says in `Link` where the next page is, if this one is full. */
export function linkNext(
  request: FastifyRequest,
  reply: FastifyReply,
  { resource, limit, ids }: { resource: Resource; limit: number; ids: readonly string[] },
): void {
  const last = ids.at(-1)
  if (ids.length < limit || last === undefined) return
  const [path = '', search = ''] = request.url.split('?')
  const parameters = new URLSearchParams(search)
  parameters.set('cursor', Buffer.from(toId(resource, last)).toString('base64url'))
  reply.header('link', `<${path}?${parameters}>; rel="next"`)
}
