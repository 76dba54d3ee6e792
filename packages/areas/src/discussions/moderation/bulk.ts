import type { FastifyRequest } from 'fastify'
import { invalidBody } from '#platform/errors.ts'
import { type BulkResult, doEach } from '#platform/http/bulk.ts'
import { viewerOf } from '#platform/http/viewer.ts'
import { idFromPath } from '#platform/ids.ts'
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
  assertReasons(operations)
  return doEach(operations, ({ id, action, reason }) =>
    decideAs(request, idFromPath(caseId, id), DECISIONS[action], reason),
  )
}

const DECISIONS = { approve: 'approved', remove: 'removed' } as const

/** @throws ApiError 422 for a removal without a reason */
function assertReasons(operations: readonly BulkDecision[]): void {
  const faults = operations.flatMap(({ action, reason }, i) =>
    action === 'remove' && reason === undefined
      ? [
          {
            field: `operations[${i}].reason`,
            rule: 'required',
            message: 'is required with the action remove',
          },
        ]
      : [],
  )
  if (faults.length > 0) throw invalidBody(faults)
}

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
