import type { FastifyRequest } from 'fastify'
import type { Catalogue } from '#platform/catalogue/catalogue.ts'
import { type FieldFault, invalidBody, invalidField } from '#platform/errors.ts'
import { type BulkResult, doEach } from '#platform/http/bulk.ts'
import { idFromPath } from '#platform/ids.ts'
import { deleteMember } from '../removal/erase.ts'
import { changeOf } from '../service.ts'
import type { BulkOperation } from './bulk-schema.ts'

/** Runs the operations one after the other, each in its own transaction: a failed one does not affect the others. */
export async function runBulk(
  request: FastifyRequest,
  catalogue: Catalogue,
  operations: BulkOperation[],
): Promise<BulkResult> {
  assertFieldsOfActions(operations)
  return doEach(operations, (operation) => run(request, catalogue, operation))
}

async function run(
  request: FastifyRequest,
  catalogue: Catalogue,
  { action, id, changes, mode }: BulkOperation,
): Promise<void> {
  const uuid = idFromPath('member', id)
  if (action === 'delete') {
    await request.write((ctx) => deleteMember(ctx, catalogue.memberData, { id: uuid, mode: mode ?? 'soft' }))
    return
  }
  if (changes === undefined) throw invalidField('changes', 'required', 'is required for the action update')
  await request.write(changeOf(uuid, changes, catalogue.memberMails))
}

/** @throws ApiError 422 for a field of the other action */
function assertFieldsOfActions(operations: readonly BulkOperation[]): void {
  const faults = operations.flatMap(({ action, ...operation }, i): FieldFault[] => {
    const [foreign, its] =
      action === 'delete' ? (['changes', 'update'] as const) : (['mode', 'delete'] as const)
    if (operation[foreign] === undefined) return []
    const message = `is only for the action ${its}: leave it out`
    return [{ field: `operations[${i}].${foreign}`, rule: 'action', message }]
  })
  if (faults.length > 0) throw invalidBody(faults)
}
