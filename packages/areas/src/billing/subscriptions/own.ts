import type { FastifyRequest } from 'fastify'
import type { Context } from '#platform/db/tenant.ts'
import { notFound } from '#platform/errors.ts'
import { getSubscription } from './load-queries.ts'

/** The subscription of a path. With a token another member's is as good as missing. @throws ApiError 404 */
export const getOwn = (ctx: Context, request: FastifyRequest, id: string) =>
  getSubscription(ctx, id).map((row) => {
    if (request.member !== undefined && request.member.memberId !== row.member_id)
      throw notFound('Subscription')
    return row
  })
