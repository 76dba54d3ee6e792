import { type InferResult, type SqlBool, sql } from 'kysely'
import { now } from '#platform/db/project-clock.ts'
import { defineQuery, pick } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import { toId } from '#platform/ids.ts'
import { defineList } from '#platform/lists/list.ts'
import type { Suspension } from './schema.ts'

/** Locks a member who is judged until the transaction ends. @throws ApiError 404 */
export const lockMember = defineQuery('lock_member_to_suspend', (v: { id: string }) =>
  query
    .selectFrom('members as m')
    .innerJoin('projects as p', 'p.id', 'm.project_id')
    .select([
      'm.id',
      'm.email',
      'm.full_name',
      sql<boolean>`m.role = any (p.moderator_roles)`.as('moderates'),
    ])
    .where('m.id', '=', v.id)
    .where('m.deleted_at', 'is', null)
    .forNoKeyUpdate('m'),
).one('Member')

const columns = ['id', 'reason', 'until', 'suspended_by', 'created_at'] as const

interface NewRow {
  readonly id: string
  readonly reason: string
  readonly until: string | null
  readonly suspended_by: string | null
}

const stored = () => query.selectFrom('suspensions').select(columns)

/** A row as clients see it. */
const toSuspension = (row: InferResult<ReturnType<typeof stored>>[number]): Suspension => ({
  member_id: toId('member', row.id),
  ...pick(row, 'reason', 'until', 'suspended_by'),
  suspended_at: row.created_at,
})

/** A suspension ends at its moment, whether its row was removed or not. */
const lasts = sql<SqlBool>`(until is null or until > ${now})`

/** The suspension of a member, if there is one. */
export const findSuspension = defineQuery('suspension', (v: { id: string }) =>
  stored().where('id', '=', v.id).where(lasts),
)
  .map(toSuspension)
  .first()

/** The members who are suspended, in the order of their ids, the newest member first. */
export const listSuspensions = defineList({
  label: 'suspensions',
  rows: () => stored().where(lasts),
  map: toSuspension,
  key: 'id',
})

/** Suspends a member, or replaces the reason and the end of a suspension. */
export const putSuspension = defineQuery('put_suspension', (v: NewRow) => {
  const values = { ...pick(v, 'reason', 'until', 'suspended_by'), created_at: now }
  return query
    .insertInto('suspensions')
    .values({ id: v.id, ...values })
    .onConflict((conflict) => conflict.columns(['project_id', 'id']).doUpdateSet(values))
    .returning(columns)
})
  .map(toSuspension)
  .single()

/** Ends a suspension. @returns its id, and whether it had ended by itself before; undefined where there was none */
export const removeSuspension = defineQuery('delete_suspension', (v: { id: string }) =>
  query
    .deleteFrom('suspensions')
    .where('id', '=', v.id)
    .returning(['id', 'until', sql<boolean>`coalesce(until <= ${now}, false)`.as('had_ended')]),
).first()

/** When the next suspension ends. */
export const nextEnd = defineQuery('next_end_of_suspension', () =>
  query.selectNoFrom(
    sql<string | null>`(select until from suspensions where until is not null order by until limit 1)`.as(
      'due_at',
    ),
  ),
)
  .map(({ due_at }) => due_at)
  .single()

const AT_ONCE = 500

/** Ends the suspensions that are over. @returns their members */
export const removeEnded = defineQuery('delete_ended_suspensions', () =>
  query
    .deleteFrom('suspensions')
    .where(
      'id',
      '=',
      sql<string>`any (array(select id from suspensions
        where until < ${now} + interval '1 millisecond' order by until limit ${sql.lit(AT_ONCE)} for update skip locked))`,
    )
    .returning(['id', 'until']),
)
