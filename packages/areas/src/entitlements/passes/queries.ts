import { sql } from 'kysely'
import { now } from '#platform/db/project-clock.ts'
import { query, statement } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'
import type { SourceType } from '../schema.ts'

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

const passes = statement('passes_of_a_kind', (v: Given) =>
  query
    .selectFrom('grants')
    .select(['id', 'source_id', 'course_id', 'starts_at', 'expires_at'])
    .where(sameAs(v))
    .where('expires_at', '>', now)
    .orderBy('starts_at')
    .orderBy('id'),
)

/** What a member, who is locked, was given of one kind for a time that is not over, the earliest first. */
export const listPasses = (ctx: Context, { member_id, plan_id, features, course_id }: Given) =>
  ctx.tx
    .all(passes, { member_id, plan_id, features, course_id })
    .map((rows) => rows as ((typeof rows)[number] & { expires_at: string })[])

const ofSource = statement('grant_of_source', (v: { source_type: string; source_id: string }) =>
  query
    .selectFrom('grants')
    .select(['id', 'member_id', 'plan_id', 'features', 'course_id', 'starts_at', 'expires_at'])
    .where('source_type', '=', v.source_type)
    .where('source_id', '=', v.source_id),
)

/** What a source has given, if it still does. */
export const findGrant = (ctx: Context, source_type: SourceType, source_id: string) =>
  ctx.tx.first(ofSource, { source_type, source_id })

const move = statement('move_grant', (v: { id: string; starts_at: string; expires_at: string }) =>
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

/** Has a grant begin and end at other times. */
export const moveGrantRow = (ctx: Context, grant: { id: string; starts_at: string; expires_at: string }) =>
  ctx.tx.run(move, grant)
