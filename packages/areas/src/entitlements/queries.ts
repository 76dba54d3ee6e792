import { sql } from 'kysely'
import { now, thisMoment } from '#platform/db/project-clock.ts'
import { type AnswerOf, defineLookup, defineQuery } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import { invalidField } from '#platform/errors.ts'
import type { SourceType } from './schema.ts'

const planIsNone = (cause?: unknown) =>
  invalidField('plan_id', 'exists', 'is not an active plan of this project', cause)

/** Holds members still while their grants change: everybody who changes grants begins here, in the order of ids. */
export const lockMembers = defineQuery('lock_members', (v: { ids: readonly string[] }) =>
  query
    .selectFrom('members')
    .select(['id', 'plan_id', 'deleted_at'])
    .where('id', '=', sql<string>`any (${v.ids}::uuid[])`)
    .orderBy('id')
    .forNoKeyUpdate(),
)

/** What gives a grant. */
interface Source {
  readonly source_type: SourceType
  readonly source_id: string
}

interface GrantRow {
  id: string
  member_id: string
  source_type: SourceType
  source_id: string
  plan_id: string | null
  /** Null: the plan's present one. */
  plan_version: number | null
  features: readonly string[]
  course_id: string | null
  /** Null: now. */
  starts_at: string | null
  expires_at: string | null
}

/** Writes the grant of a source, in place of the one that it gave before. */
export const putGrant = defineQuery(
  'put_grant',
  (v: GrantRow) =>
    query
      .insertInto('grants')
      .columns([
        ...(['id', 'member_id', 'source_type', 'source_id', 'plan_id', 'plan_version'] as const),
        ...(['features', 'course_id', 'starts_at', 'expires_at', 'due_at', 'created_at'] as const),
      ])
      .expression(
        sql`select ${v.id}::uuid, ${v.member_id}::uuid, ${v.source_type}::text, ${v.source_id}::uuid, ${v.plan_id}::uuid,
            coalesce(${v.plan_version}::int, (select version from plans where id = ${v.plan_id}::uuid)),
            ${v.features}::text[], ${v.course_id}::uuid, coalesce(${v.starts_at}::timestamptz, ${now}),
            ${v.expires_at}::timestamptz,
            case when ${v.starts_at}::timestamptz > ${now} then ${v.starts_at}::timestamptz else ${v.expires_at}::timestamptz end, ${now}`,
      )
      .onConflict((conflict) =>
        conflict.columns(['project_id', 'source_type', 'source_id']).doUpdateSet((old) => ({
          member_id: old.ref('excluded.member_id'),
          plan_id: old.ref('excluded.plan_id'),
          plan_version: old.ref('excluded.plan_version'),
          features: old.ref('excluded.features'),
          course_id: old.ref('excluded.course_id'),
          starts_at: old.ref('excluded.starts_at'),
          expires_at: old.ref('excluded.expires_at'),
          due_at: old.ref('excluded.due_at'),
        })),
      ),
  { grants_plan_version: planIsNone, grants_plan_fkey: planIsNone },
)

/** Deletes the grants of a source. Answers whom something was taken from, and what. */
export const removeGrantsOf = defineQuery('remove_grants', (v: Source) =>
  query
    .deleteFrom('grants')
    .where('source_type', '=', v.source_type)
    .where('source_id', '=', v.source_id)
    .returning(['member_id', 'plan_id', 'features', 'course_id']),
)

/** Who has something from a source. */
export const listHolders = defineQuery('grant_holders', (v: Source) =>
  query
    .selectFrom('grants')
    .select('member_id')
    .where('source_type', '=', v.source_type)
    .where('source_id', '=', v.source_id),
)

/** Says of new members who were made with a plan that an operator gave it; of those on the default plan, nothing. */
export const grantPlansOfNew = defineQuery('grant_plans_of_new_members', (v: { ids: readonly string[] }) =>
  query
    .insertInto('grants')
    .columns([
      'id',
      'member_id',
      'source_type',
      'source_id',
      'plan_id',
      'plan_version',
      'starts_at',
      'created_at',
    ])
    .expression(
      sql`select gen_random_uuid(), m.id, 'operator', m.id, m.plan_id, m.plan_version, ${now}, ${now}
        from members m join plans p on p.id = m.plan_id
        where m.id = any (${v.ids}::uuid[]) and not p.is_default`,
    ),
)

/** @throws ApiError 422 where it is archived, missing or another project's */
export const getActivePlan = defineQuery('active_plan', (v: { id: string }) =>
  query.selectFrom('plans').select(['id', 'version']).where('id', '=', v.id).where('status', '=', 'active'),
).one(() => planIsNone())

/**
 * What counts of what a member was given: the operator's plan whatever its rank, else the highest of the others, the
 * earliest of equal ones, else the project's default. A member that stays on a plan stays on its price. A grant of a
 * transaction that began later may be committed already, so grants are compared with this moment and not with `now`.
 */
const effective = sql`(
  select r.plan_id, r.plan_version from (
    select g.plan_id, g.plan_version, case g.source_type when 'operator' then 0 else 1 end as tier, p.rank, g.starts_at, g.id
    from grants g join plans p on p.id = g.plan_id
    where g.member_id = o.id and g.starts_at <= ${thisMoment} and (g.expires_at is null or g.expires_at > ${now})
    union all
    select d.id, case when o.plan_id = d.id then o.plan_version else d.version end, 2, d.rank, null, d.id
    from plans d where d.is_default
  ) as r
  order by r.tier, r.rank desc, r.starts_at, r.id limit 1
)`

/** Makes the plans of members follow their grants. Answers those that are on another plan, or price, now. */
export const updatePlans = defineQuery('update_plans', (v: { ids: readonly string[] }) =>
  query
    .updateTable('members as m')
    .from(
      sql<{ id: string; plan_id: string; plan_version: number }>`(
        select o.id, e.plan_id, e.plan_version from members o cross join lateral ${effective} as e
        where o.id = any (${v.ids}::uuid[]) and (o.plan_id, o.plan_version) <> (e.plan_id, e.plan_version)
      )`.as('e'),
    )
    .set({ plan_id: sql`e.plan_id`, plan_version: sql`e.plan_version`, updated_at: now })
    .whereRef('m.id', '=', 'e.id')
    .returning('m.id'),
)

/** Members on a plan that nobody gave them, and that is not the default any more. */
export const listOnPlanWithoutGrant = defineQuery(
  'on_plan_without_grant',
  (v: { plan_id: string; limit: number }) =>
    query
      .selectFrom('members as m')
      .select('m.id')
      .where('m.plan_id', '=', v.plan_id)
      // The default again: then all of them are where they belong.
      .where(sql<boolean>`not exists (select from plans d where d.id = m.plan_id and d.is_default)`)
      .where(
        sql<boolean>`not exists (select from grants g where g.member_id = m.id and g.plan_id = m.plan_id
        and g.starts_at <= ${thisMoment} and (g.expires_at is null or g.expires_at > ${now}))`,
      )
      .limit(v.limit),
)
/** Members with their plans and grants, deleted ones included. */
export const listEntitlements = defineLookup('member_entitlements', (v: { ids: readonly string[] }) =>
  query
    .selectFrom('members as m')
    .innerJoin('plans as p', 'p.id', 'm.plan_id')
    .select(['m.id as member_id', 'm.status as member_status', 'm.deleted_at'])
    .select(['p.id', 'p.name', 'p.slug', 'p.rank', 'p.status', 'p.features', 'p.limits'])
    .select(
      sql<GivenRow[] | null>`(
        select json_agg(json_build_object('id', g.id, 'source_type', g.source_type, 'source_id', g.source_id,
          'plan_id', g.plan_id, 'features', g.features, 'course_id', g.course_id,
          'starts_at', ${iso('g.starts_at')}, 'expires_at', ${iso('g.expires_at')}, 'has_begun', g.starts_at <= ${thisMoment})
          order by g.starts_at, g.id)
        from grants g where g.member_id = m.id)`.as('grants'),
    )
    .where('m.id', '=', sql<string>`any (${v.ids}::uuid[])`)
    .orderBy('m.id'),
)

/** A grant as it lies beside its member. */
export interface GivenRow {
  id: string
  source_type: SourceType
  source_id: string
  plan_id: string | null
  features: string[]
  course_id: string | null
  starts_at: string
  expires_at: string | null
  has_begun: boolean
}

function iso(column: string) {
  return sql`to_char(${sql.ref(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
}

export type EntitlementsRow = AnswerOf<typeof listEntitlements>[number]

/** Members with a grant that begins or ends by now. */
export const listDueMembers = defineQuery('due_grants', (v: { limit: number }) =>
  query
    // In the order in which they are due, by an index: for distinct members, those of all grants would be read.
    .selectFrom((from) =>
      from
        .selectFrom('grants')
        .select('member_id')
        .where('due_at', '<=', now)
        .orderBy('due_at')
        .limit(v.limit)
        .as('due'),
    )
    .select('member_id')
    .distinct(),
)

/** When the next grant begins or ends. */
export const nextDueGrant = defineQuery('next_due_grant', () =>
  query.selectFrom('grants').select('due_at').where('due_at', 'is not', null).orderBy('due_at').limit(1),
).first()

/** Ends what has ended. Answers whom it concerns. */
export const expireGrants = defineQuery('expire_grants', (v: { ids: readonly string[] }) =>
  query
    .deleteFrom('grants')
    .where('member_id', '=', sql<string>`any (${v.ids}::uuid[])`)
    .where('due_at', '<=', now)
    .where('expires_at', '<=', now)
    .returning('member_id'),
)

/** Begins what has begun. Answers whom it concerns. */
export const beginGrants = defineQuery('begin_grants', (v: { ids: readonly string[] }) =>
  query
    .updateTable('grants')
    .set({ due_at: sql`expires_at` })
    .where('member_id', '=', sql<string>`any (${v.ids}::uuid[])`)
    .where('due_at', '<=', now)
    .returning('member_id'),
)

/** What a grant gives. */
export interface Given {
  readonly member_id: string
  readonly plan_id: string | null
  readonly features: readonly string[]
  readonly course_id: string | null
}

/** Grants of order lines that give a member exactly this, for a time. */
const sameAs = (v: Given) =>
  sql<boolean>`member_id = ${v.member_id}::uuid and source_type = 'order_line' and expires_at is not null
    and plan_id is not distinct from ${v.plan_id}::uuid and course_id is not distinct from ${v.course_id}::uuid
    and features @> ${v.features}::text[] and features <@ ${v.features}::text[]`

/** Grants of one kind to a locked member whose time is not over, the earliest first. */
export const listPasses = defineQuery('passes_of_a_kind', (v: Given) =>
  query
    .selectFrom('grants')
    .select(['id', 'source_id', 'course_id', 'starts_at', 'expires_at'])
    .where(sameAs(v))
    .where('expires_at', '>', now)
    .orderBy('starts_at')
    .orderBy('id')
    .$narrowType<{ expires_at: string }>(),
).map(({ id, source_id, course_id, starts_at, expires_at }) => ({
  ...{ id, sourceId: source_id, courseId: course_id },
  ...{ start: Date.parse(starts_at), end: Date.parse(expires_at) },
}))

/** The grant of a source, unless it was revoked. */
export const findGrant = defineQuery('grant_of_source', (v: Source) =>
  query
    .selectFrom('grants')
    .select(['id', 'member_id', 'plan_id', 'features', 'course_id', 'starts_at', 'expires_at'])
    .where('source_type', '=', v.source_type)
    .where('source_id', '=', v.source_id),
).first()

/** Has a grant begin and end at other times. */
export const moveGrant = defineQuery(
  'move_grant',
  (v: { id: string; starts_at: string; expires_at: string }) =>
    query
      .updateTable('grants')
      .set({
        starts_at: v.starts_at,
        expires_at: v.expires_at,
        due_at: sql`case when ${v.starts_at}::timestamptz > ${now} then ${v.starts_at}::timestamptz
        else ${v.expires_at}::timestamptz end`,
      })
      .where('id', '=', v.id),
)
