import { sql } from 'kysely'
import { now } from '#platform/db/project-clock.ts'
import { lookup, query } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'
import { memberNotFound } from '#platform/http/acting-member.ts'
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

const facts = lookup('content_member_facts', (v: { id: string }) => members().where('m.id', '=', v.id))

type Row = NonNullable<Awaited<ReturnType<typeof findRow>>>
const findRow = (ctx: Context, id: string) => ctx.tx.first(facts, { id })

const toMemberFacts = (row: Row): MemberFacts => ({
  memberId: row.id,
  isActive: row.status === 'active',
  planId: row.plan_id,
  features: new Set(row.features),
  days: row.days,
})

/** What rules ask about a member. @throws ApiError 422 MEMBER_NOT_FOUND */
export const getMemberFacts = (ctx: Context, id: string | undefined, field: string) =>
  ctx.tx.first(facts, { id: id ?? NO_MEMBER }).map((row) => {
    if (row === undefined) throw memberNotFound(field)
    return toMemberFacts(row)
  })

/** What was named is no member's id: looked for all the same, so that it takes as long. */
const NO_MEMBER = '00000000-0000-0000-0000-000000000000'

const factsOfSeveral = lookup('content_member_facts_of_several', (v: { ids: readonly string[] }) =>
  members().where('m.id', '=', sql<string>`any (${v.ids}::uuid[])`),
)

/** The same of several, by their stored ids; those who are none are left out. */
export const findMemberFacts = (ctx: Context, ids: readonly string[]) =>
  ctx.tx.all(factsOfSeveral, { ids }).map((rows) => new Map(rows.map((row) => [row.id, toMemberFacts(row)])))
