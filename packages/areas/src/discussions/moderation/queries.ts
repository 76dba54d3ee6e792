import { type SqlBool, sql } from 'kysely'
import { defineList } from '#platform/db/lists/list.ts'
import { choice } from '#platform/db/lists/list-filters.ts'
import { now } from '#platform/db/project-clock.ts'
import { query, statement } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'
import { newUuid } from '#platform/ids.ts'

/** A discussion, or a comment in one. */
export interface Target {
  readonly discussion: string
  readonly comment: string | null
}

/** A case as it is stored. */
export interface CaseRow {
  id: string
  kind: string
  discussion_id: string
  comment_id: string | null
  reports: number
  decision: string | null
  reason: string | null
  decided_by: string | null
  decided_at: string | null
  created_at: string
}

const columns = [
  ...(['id', 'kind', 'discussion_id', 'comment_id', 'reports', 'decision', 'reason'] as const),
  ...(['decided_by', 'decided_at', 'created_at'] as const),
] as const

const hold = statement('hold_post', (v: Target & { id: string }) =>
  query
    .insertInto('moderation_cases')
    .values({ id: v.id, kind: 'held', discussion_id: v.discussion, comment_id: v.comment, created_at: now }),
)
/** Has a moderator look at a first post. */
export const holdPost = (ctx: Context, target: Target) => ctx.tx.defer(hold, { id: newUuid(), ...target })

const openCase = statement('open_case', (v: Target) =>
  query
    .selectFrom('moderation_cases')
    .select(columns)
    .where('discussion_id', '=', v.discussion)
    .where(sql<boolean>`comment_id is not distinct from ${v.comment}::uuid`)
    .where('decision', 'is', null),
)
const insertCase = statement('insert_case', (v: Target & { id: string }) =>
  query
    .insertInto('moderation_cases')
    .values({
      id: v.id,
      kind: 'reported',
      discussion_id: v.discussion,
      comment_id: v.comment,
      created_at: now,
    })
    .returning(columns),
)
/** The case that is open about something; it is made where there is none. The discussion is locked by the caller. */
export async function caseAbout(ctx: Context, target: Target): Promise<CaseRow> {
  const open = await ctx.tx.first(openCase, target)
  return open ?? (await ctx.tx.single(insertCase, { id: newUuid(), ...target }))
}

interface NewReport {
  id: string
  case: string
  member: string
  reason: string
  note: string | null
}
const insertReport = statement('insert_report', (v: NewReport) =>
  query
    .with('added', (cte) =>
      cte
        .insertInto('reports')
        .values({
          id: v.id,
          case_id: v.case,
          member_id: v.member,
          reason: v.reason,
          note: v.note,
          created_at: now,
        })
        .onConflict((conflict) => conflict.columns(['project_id', 'case_id', 'member_id']).doNothing())
        .returning('id'),
    )
    .updateTable('moderation_cases')
    .set({ reports: sql`reports + 1` })
    .where('id', '=', v.case)
    .where(sql<boolean>`exists (select from added)`)
    .returning([
      'reports',
      sql<number>`(select p.report_threshold from projects p where p.id = moderation_cases.project_id)`.as(
        'threshold',
      ),
    ]),
)
/** Adds a report. @returns undefined where this member has reported it already */
export const addReport = (ctx: Context, report: NewReport) => ctx.tx.first(insertReport, report)

const byId = statement('moderation_case', (v: { id: string }) =>
  query.selectFrom('moderation_cases').select(columns).where('id', '=', v.id),
)
/** @throws ApiError 404 */
export const getCase = (ctx: Context, id: string) => ctx.tx.one(byId, { id }, 'Moderation case')

const decide = statement(
  'decide_case',
  (v: { id: string; decision: string; reason: string | null; by: string | null }) =>
    query
      .updateTable('moderation_cases')
      .set({ decision: v.decision, reason: v.reason, decided_by: v.by, decided_at: now })
      .where('id', '=', v.id)
      .where('decision', 'is', null)
      .returning(columns),
)
/** Decides a case that is open. @returns undefined where somebody did already */
export const decideCase = (
  ctx: Context,
  decision: { id: string; decision: string; reason: string | null; by: string | null },
) => ctx.tx.first(decide, decision)

const close = statement('close_cases_about', (v: Target & { by: string | null }) =>
  query
    .updateTable('moderation_cases')
    .set({ decision: 'removed', decided_by: v.by, decided_at: now })
    .where('discussion_id', '=', v.discussion)
    .where(sql<boolean>`(${v.comment}::uuid is null or comment_id = ${v.comment}::uuid)`)
    .where('decision', 'is', null)
    .returning(columns),
)
/** Decides what is open about something that was removed: of a discussion, all that is in it. */
export const decideRemoved = (ctx: Context, target: Target, by: string | null) =>
  ctx.tx.all(close, { ...target, by })

const cases = () =>
  query
    .selectFrom('moderation_cases as k')
    .innerJoin('discussions as d', 'd.id', 'k.discussion_id')
    .leftJoin('comments as t', 't.id', 'k.comment_id')
    .select(columns.map((column) => `k.${column}` as const))
    .select([
      'd.title',
      sql<string>`coalesce(t.content, d.content)`.as('content'),
      sql<string>`coalesce(t.content_html, d.content_html)`.as('content_html'),
      sql<string>`coalesce(t.author_id, d.author_id)`.as('author_id'),
      sql<string>`coalesce(t.status, d.status)`.as('status'),
      sql<{ member_id: string; reason: string; note: string | null; created_at: string }[]>`coalesce((
        select jsonb_agg(jsonb_build_object('member_id', r.member_id, 'reason', r.reason, 'note', r.note,
          'created_at', to_char(r.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) order by r.id)
        from (select * from reports where case_id = k.id order by id limit 20) r), '[]')`.as('reported'),
    ])

/** One page of cases, with what they are about. */
export const listCases = defineList({
  label: 'moderation_cases',
  rows: cases,
  key: 'k.id',
  filters: {
    status: choice<'open' | 'resolved'>(
      (status) => sql<SqlBool>`(k.decision is null) = ${sql.lit(status === 'open')}`,
    ),
  },
})
