import type { FastifyRequest } from 'fastify'
import type { Catalogue } from '#platform/catalogue/catalogue.ts'
import { invalidField } from '#platform/errors.ts'
import { assertFieldsOfActions, type BulkResult, doEach } from '#platform/http/bulk.ts'
import { deleteMember } from '../removal/erase.ts'
import { changeOf } from '../service.ts'
import type { BulkOperation } from './bulk-schema.ts'

/** Runs the operations one after the other, each in its own transaction: a failed one does not affect the others. */
export async function runBulk(
  request: FastifyRequest,
  catalogue: Catalogue,
  operations: BulkOperation[],
): Promise<BulkResult> {
  assertFieldsOfActions(operations, {
    update: { takes: ['changes'] },
    delete: { takes: ['mode'] },
    invite: {},
  })
  return doEach(operations, 'member', (id, operation) => run(request, catalogue, { ...operation, id }))
}

async function run(
  request: FastifyRequest,
  catalogue: Catalogue,
  { action, id, changes, mode }: BulkOperation,
): Promise<void> {
  if (action === 'delete') {
    await request.write((ctx) => deleteMember(ctx, catalogue.memberData, { id, mode: mode ?? 'soft' }))
    return
  }
  if (action === 'invite') {
    await request.write((ctx) => catalogue.memberMails.inviteAgain(ctx, id))
    return
  }
  if (changes === undefined) throw invalidField('changes', 'required', 'is required for the action update')
  await request.write(changeOf(id, changes, catalogue.memberMails))
}
