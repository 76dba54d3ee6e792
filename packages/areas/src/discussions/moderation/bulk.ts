import type { FastifyRequest } from 'fastify'
import { assertFieldsOfActions, type BulkResult, doEach } from '#platform/http/bulk.ts'
import { viewerOf } from '#platform/http/viewer.ts'
import { caseId } from '../ids.ts'
import type { BulkDecision, Case } from './schema.ts'
import { decide } from './service.ts'

/**
 * Decides cases one after the other, each in its own transaction.
 * @throws ApiError 422 for a removal without a reason
 */
export async function decideInBulk(
  request: FastifyRequest,
  operations: readonly BulkDecision[],
): Promise<BulkResult> {
  assertFieldsOfActions(operations, {
    approve: { takes: ['reason'] },
    remove: { needs: ['reason'] },
  })
  return doEach(operations, caseId, (id, { action, reason }) =>
    decideAs(request, id, DECISIONS[action], reason),
  )
}

const DECISIONS = { approve: 'approved', remove: 'removed' } as const

/** Decides a case as whoever asks. */
export function decideAs(
  request: FastifyRequest,
  id: string,
  decision: 'approved' | 'removed',
  reason: string | undefined,
): Promise<Case> {
  return request.write(async (ctx) =>
    decide(ctx, id, { viewer: await viewerOf(ctx, request), decision, reason }),
  )
}
