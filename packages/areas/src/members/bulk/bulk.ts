import type { FastifyRequest } from 'fastify'
import type { Catalogue } from '#platform/catalogue/catalogue.ts'
import { invalidField } from '#platform/errors.ts'
import { assertFieldsOfActions, type BulkResult, doEach } from '#platform/http/bulk.ts'
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
  assertFieldsOfActions(operations, {
    update: { takes: ['changes'] },
    delete: { takes: ['mode'] },
    invite: {},
  })
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
  if (action === 'invite') {
    await request.write((ctx) => catalogue.memberMails.inviteAgain(ctx, uuid))
    return
  }
  if (changes === undefined) throw invalidField('changes', 'required', 'is required for the action update')
  await request.write(changeOf(uuid, changes, catalogue.memberMails))
}
