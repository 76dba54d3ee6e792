import type { FastifyRequest } from 'fastify'
import type { Context } from '#platform/db/tenant.ts'
import { notFound } from '#platform/errors.ts'
import { getSubscription } from './load-queries.ts'

/** The subscription of a path. With a token another member's is as good as missing. @throws ApiError 404 */
export async function assertOwn(ctx: Context, request: FastifyRequest, id: string): Promise<void> {
  const { member_id } = await getSubscription(ctx, id)
  if (request.member !== undefined && request.member.memberId !== member_id) throw notFound('Subscription')
}
