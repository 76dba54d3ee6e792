import type { FastifyRequest } from 'fastify'
import { assertFieldsOfActions, type BulkResult, doEach } from '#platform/http/bulk.ts'
import { viewerOf } from '#platform/http/viewer.ts'
import { caseId } from '../ids.ts'
import type { BulkDecision, Case } from './schema.ts'
import { decide, type Moderated } from './service.ts'

/**
 * Decides cases one after the other, each in its own transaction.
 * @throws ApiError 422 for a removal without a reason
 */
export async function decideInBulk(
  request: FastifyRequest,
  operations: readonly BulkDecision[],
  moderated: Moderated,
): Promise<BulkResult> {
  assertFieldsOfActions(operations, {
    approve: { takes: ['reason'] },
    remove: { needs: ['reason'] },
  })
  return doEach(operations, caseId, (id, { action, reason }) =>
    decideAs(request, id, { decision: DECISIONS[action], reason, moderated }),
  )
}

const DECISIONS = { approve: 'approved', remove: 'removed' } as const

/** Decides a case as whoever asks. */
export function decideAs(
  request: FastifyRequest,
  id: string,
  decided: {
    readonly decision: 'approved' | 'removed'
    readonly reason: string | undefined
    readonly moderated: Moderated
  },
): Promise<Case> {
  return request.write(async (ctx) => decide(ctx, id, { viewer: await viewerOf(ctx, request), ...decided }))
}
