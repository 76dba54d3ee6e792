import { type InferResult, sql } from 'kysely'
import { now } from '#platform/db/project-clock.ts'
import { defineLookup, defineQuery, deriveQuery, mapAnswer, shapeAnswer } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import { memberNotFound } from '#platform/http/acting-member.ts'
import { newUuid } from '#platform/ids.ts'
import type { MemberFacts } from './decide.ts'

/** Features come from the plan that counts and from whatever else was given; days go by the project's clock. */
const members = () =>
  query
    .selectFrom('members as m')
    .innerJoin('plans as p', 'p.id', 'm.plan_id')
    .select(['m.id', 'm.status', 'm.plan_id'])
    .select(
      sql<string[]>`p.features || array(select unnest(g.features) from grants g where g.member_id = m.id
        and g.starts_at <= ${now} and (g.expires_at is null or g.expires_at > ${now}))`.as('features'),
    )
    .select(sql<number>`floor(extract(epoch from ${now} - m.created_at) / 86400)::int8`.as('days'))
    .where('m.deleted_at', 'is', null)

const toMemberFacts = (row: InferResult<ReturnType<typeof members>>[number]): MemberFacts => ({
  memberId: row.id,
  isActive: row.status === 'active',
  planId: row.plan_id,
  features: new Set(row.features),
  days: row.days,
})

interface Named {
  /** Null where what was named is no member's id: it is looked for all the same, so that it takes as long. */
  id: string | null
  /** Where it was named. */
  field: string
}
/** What rules ask about a member. @throws ApiError 422 MEMBER_NOT_FOUND */
export const getMemberFacts = defineLookup('content_member_facts', (v: Named) =>
  members().where('m.id', '=', v.id),
)
  .map(toMemberFacts)
  .one(({ field }) => memberNotFound(field))

const factsOfSeveral = defineLookup('content_member_facts_of_several', (v: { ids: readonly string[] }) =>
  members().where('m.id', '=', sql<string>`any (${v.ids}::uuid[])`),
).map(toMemberFacts)

/** The same of several, by their stored ids; those who are none are left out. */
export const findMemberFacts = deriveQuery((v: { ids: readonly string[] }) =>
  mapAnswer(factsOfSeveral(v), (all) => new Map(all.map((facts) => [facts.memberId, facts]))),
)

interface View {
  id: string
  memberId: string
  ruleId: string
  path: string
  limit: number
}

/** Under the lock of one row, so that the last free view goes to one. A path that was seen this month is free again. */
const take = defineQuery('take_free_view', (v: View) =>
  query
    .insertInto('content_free_views')
    .values({
      id: v.id,
      member_id: v.memberId,
      rule_id: v.ruleId,
      month: sql`date_trunc('month', ${now} at time zone 'UTC')::date`,
      paths: sql`array[${v.path}::text]`,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['project_id', 'member_id', 'rule_id', 'month'])
        .doUpdateSet({
          paths: sql`case when ${v.path}::text = any (content_free_views.paths) then content_free_views.paths else content_free_views.paths || ${v.path}::text end`,
        })
        .where(
          sql<boolean>`${v.path}::text = any (content_free_views.paths) or cardinality(content_free_views.paths) < ${v.limit}::int`,
        ),
    )
    .returning('id'),
).first()

/** Counts a page among a member's free views of this month. @returns false where they are used up */
export const takeFreeView = deriveQuery((view: Omit<View, 'id'>) =>
  shapeAnswer(take({ id: newUuid(), ...view }), (row) => row !== undefined),
)
