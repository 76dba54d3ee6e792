import { sql } from 'kysely'
import { endingSubscription, pausingSubscription } from '#areas/billing/service.ts'
import { audit } from '#platform/audit.ts'
import type { People, PersonalData } from '#platform/catalogue/personal-data.ts'
import { defineQuery, deriveQuery, mapAnswer } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'
import { invalidToken, notFound } from '#platform/errors.ts'
import { emit } from '#platform/events/emit.ts'
import { toId } from '#platform/ids.ts'
import { memberDeleted } from '../events.ts'
import type { DeleteMode } from '../schema.ts'
import { softDeleteMember, softDeleteOwnAccount } from './queries.ts'

const people = defineQuery('members_as_people', (v: { ids: readonly string[] }) =>
  query
    .selectFrom('members as m')
    .select([
      'm.id',
      // Another member can have the address of a deleted one by now.
      sql<string | null>`case when m.deleted_at is null or not exists (select from members o
        where o.email_key = m.email_key and o.deleted_at is null) then m.email_key end`.as('email'),
    ])
    .where('m.id', '=', sql<string>`any (${v.ids}::uuid[])`)
    .where('m.anonymized_at', 'is', null)
    .forUpdate(),
)

/** Those of these members that still have personal data, deleted ones included. They are locked. */
export const findPeople = deriveQuery((v: { ids: readonly string[] }) =>
  mapAnswer(
    people(v),
    (rows): People => ({
      memberIds: rows.map(({ id }) => id),
      emails: rows.flatMap(({ email }) => (email === null ? [] : [email])),
    }),
  ),
)

/**
 * Erases everything that any area stores about these members; of their own rows only the parts stay that others refer
 * to.
 */
export async function erasePeople(
  ctx: Context,
  memberData: readonly PersonalData[],
  forgotten: People,
): Promise<void> {
  if (forgotten.memberIds.length === 0) return
  for (const part of memberData) await part.erase(ctx, forgotten)
}

/**
 * @param memberData what areas hold on members, in the order in which it is erased
 * @throws ApiError 404
 */
export async function deleteMember(
  ctx: Context,
  memberData: readonly PersonalData[],
  { id, mode }: { id: string; mode: DeleteMode },
): Promise<void> {
  if (mode === 'anonymize') {
    const person = await findPeople(ctx, { ids: [id] })
    if (person.memberIds.length === 0) throw notFound('Member')
    await erasePeople(ctx, memberData, person)
  } else {
    await pausingSubscription(ctx, id, () => softDeleteMember(ctx, { id }))
  }
  emit(ctx, memberDeleted, { id: toId('member', id), mode })
  audit(ctx, { action: 'member.delete', target: toId('member', id), after: { mode } })
}

/**
 * Deletes a member who asks for it. A key can restore the member for 30 days, without the subscription, which ends.
 * @param prove checks, when the member is locked, that it is the member who asks
 * @returns what a mail to the member needs
 * @throws ApiError 401 for a member who is deleted already
 */
export async function deleteOwnAccount(
  ctx: Context,
  id: string,
  prove: (ctx: Context) => Promise<void>,
): Promise<{ readonly email: string; readonly full_name: string; readonly erased_at: string }> {
  const left = await endingSubscription(ctx, id, async () => {
    const row = await softDeleteOwnAccount(ctx, { id })
    if (row === undefined) throw invalidToken('session_ended')
    await prove(ctx)
    return row
  })
  emit(ctx, memberDeleted, { id: toId('member', id), mode: 'soft' })
  return left
}
