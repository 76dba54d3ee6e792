import { type InferResult, type SqlBool, sql } from 'kysely'
import type { ModeratedTarget as Target } from '#platform/catalogue/moderated.ts'
import { now } from '#platform/db/project-clock.ts'
import { defineQuery, pick } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'
import { newUuid } from '#platform/ids.ts'
import { defineList } from '#platform/lists/list.ts'
import { between, choice } from '#platform/lists/list-filters.ts'
import type { CaseAppeal } from '../appeals/schema.ts'
import { REPORT_THRESHOLD } from '../settings.ts'

const columns = [
  ...(['id', 'kind', 'discussion_id', 'comment_id', 'feedback_id', 'feedback_comment_id'] as const),
  ...(['reports', 'decision', 'reason'] as const),
  ...(['decided_by', 'decided_at', 'created_at', 'held_by', 'weight', 'asked'] as const),
  'hook_note',
] as const
const stored = () => query.selectFrom('moderation_cases').select(columns)
export type CaseRow = InferResult<ReturnType<typeof stored>>[number]

interface NewCase extends Target {
  readonly id: string
  readonly kind: string
  /** The kinds of the rules that hold the post. */
  readonly held_by: readonly string[]
}
const insertCase = defineQuery('insert_case', (v: NewCase) =>
  query
    .insertInto('moderation_cases')
    .values({
      ...pick(v, 'id', 'kind', 'discussion_id', 'comment_id', 'feedback_id', 'feedback_comment_id'),
      held_by: sql`nullif(${v.held_by}::text[], '{}')`,
      created_at: now,
    })
    .returning(columns),
).single()
/** Has a moderator look at a post before others see it: a first one, or one that rules hold. */
export const holdPost = (ctx: Context, target: Target, held_by: readonly string[] = []) =>
  insertCase(ctx, { id: newUuid(), kind: 'held', held_by, ...target })

/** Open cases about a post, or, where that is null, about what it is in. @param all also about what is in that */
const openIn = (
  columns: readonly [string, string],
  [above, post]: readonly [string | null, string | null],
  all: boolean,
) => {
  const [in_, about] = [sql.ref(columns[0]), sql.ref(columns[1])]
  return sql`
    select id from moderation_cases
    where decision is null and ${in_} = ${above}::uuid and ${about} = ${post}::uuid
    union all
    select id from moderation_cases
    where decision is null and ${in_} = ${above}::uuid and ${post}::uuid is null${all ? sql`` : sql` and ${about} is null`}`
}
/** What is open about a post. Each by the index of what is open: there are far more that are decided. */
const openAbout = (v: Target, { all = false } = {}) =>
  sql<boolean>`decision is null and id = any (array(
    ${openIn(['discussion_id', 'comment_id'], [v.discussion_id, v.comment_id], all)}
    union all
    ${openIn(['feedback_id', 'feedback_comment_id'], [v.feedback_id, v.feedback_comment_id], all)}))`

/** The case that is open about something, if there is one. */
export const openCase = defineQuery('open_case', (v: Target) => stored().where(openAbout(v))).first()
/** The case that is open about something; it is made where there is none. The post is locked by the caller. */
export const caseAbout = async (ctx: Context, target: Target): Promise<CaseRow> =>
  (await openCase(ctx, target)) ??
  insertCase(ctx, { id: newUuid(), kind: 'reported', held_by: [], ...target })

interface NewReport extends Target {
  readonly id: string
  readonly case_id: string
  readonly member_id: string
  readonly author_id: string | null
  readonly reason: string
  readonly note: string | null
}
/** Whether a moderator has approved a post that this member had reported. */
const wasApproved = (v: NewReport) =>
  sql<boolean>`exists (select from reports e join moderation_cases b on b.id = e.case_id
    where e.member_id = ${v.member_id}::uuid and b.decision = 'approved'
      and b.discussion_id is not distinct from ${v.discussion_id}::uuid
      and b.comment_id is not distinct from ${v.comment_id}::uuid
      and b.feedback_id is not distinct from ${v.feedback_id}::uuid
      and b.feedback_comment_id is not distinct from ${v.feedback_comment_id}::uuid)`
/** Judged reports of a member that count: what was long ago is forgotten. */
const JUDGED = sql.lit(100)
/**
 * What the next report of a member weighs, in hundredths: twice the share of the member's reports that were right, as if one
 * had been right and one wrong before. So a first report weighs 1, and none weighs 2.
 */
const weightOf = (member: string) =>
  sql<number>`(select round(200.0 * (1 + count(*) filter (where j.was_right)) / (2 + count(*)))::int4
    from (select was_right from reports where member_id = ${member}::uuid and was_right is not null
      order by id desc limit ${JUDGED}) j)`

/** Keeps whether the reports of a case that count were right. A later decision judges them anew. */
export const judgeReports = defineQuery('judge_reports', (v: { case_id: string; was_right: boolean }) =>
  query
    .updateTable('reports')
    .set(pick(v, 'was_right'))
    .where('case_id', '=', v.case_id)
    .where('counts', '=', true),
)

/**
 * Adds a report. An author's report of the own post does not count, nor does one of a member whose report of the same post a
 * moderator has answered with an approval. Answers undefined where this member has reported it in this case already.
 */
export const addReport = defineQuery('insert_report', (v: NewReport) =>
  query
    .with('added', (cte) =>
      cte
        .insertInto('reports')
        .values({
          ...pick(v, 'id', 'case_id', 'member_id', 'reason', 'note'),
          weight: weightOf(v.member_id),
          counts: sql`${v.member_id}::uuid is distinct from ${v.author_id}::uuid and not ${wasApproved(v)}`,
          created_at: now,
        })
        .onConflict((conflict) => conflict.columns(['project_id', 'case_id', 'member_id']).doNothing())
        .returning(['counts', 'weight']),
    )
    .updateTable('moderation_cases')
    .set({
      reports: sql`reports + (select counts::int from added)`,
      weight: sql`moderation_cases.weight + (select case when counts then added.weight else 0 end from added)`,
    })
    .where('id', '=', v.case_id)
    .where(sql<boolean>`exists (select from added)`)
    .returning(
      sql<boolean>`moderation_cases.weight >= 100 * coalesce((select s.report_threshold from discussion_settings s), ${sql.lit(REPORT_THRESHOLD)})`.as(
        'is_enough',
      ),
    ),
).first()

const caseById = defineQuery('moderation_case', (v: { id: string }) => stored().where('id', '=', v.id))
export const findCase = caseById.first()
/** @throws ApiError 404 */
export const getCase = caseById.one('Moderation case')

interface Question {
  readonly id: string
  /** The stored id of the question; null where it is answered. */
  readonly asked: string | null
  readonly held_by: readonly string[]
  readonly note: string | null
}
/** Keeps which question about a post its hook has to answer, or what it has answered. */
export const setQuestion = defineQuery('set_question_of_case', (v: Question) =>
  query
    .updateTable('moderation_cases')
    .set({ asked: v.asked, hook_note: v.note, held_by: sql`nullif(${v.held_by}::text[], '{}')` })
    .where('id', '=', v.id),
)

interface Decided {
  readonly id: string
  readonly decision: string
  readonly reason: string | null
  readonly decided_by: string | null
}
/** Decides a case that is open. Answers undefined where somebody did already. */
export const decideCase = defineQuery('decide_case', (v: Decided) =>
  query
    .updateTable('moderation_cases')
    .set({ ...pick(v, 'decision', 'reason', 'decided_by'), decided_at: now })
    .where('id', '=', v.id)
    .where('decision', 'is', null)
    .returning(columns),
).first()

/** Decides a case anew, whose author has appealed it. */
export const overturnCase = defineQuery('overturn_case', (v: Omit<Decided, 'decision'>) =>
  query
    .updateTable('moderation_cases')
    .set({ decision: 'approved', ...pick(v, 'reason', 'decided_by'), decided_at: now })
    .where('id', '=', v.id)
    .returning(columns),
).single()

/** Decides what is open about something that was removed: of a discussion or an item, all that is in it. */
export const decideRemoved = defineQuery('close_cases_about', (v: Target & { decided_by: string | null }) =>
  query
    .updateTable('moderation_cases')
    .set({ decision: 'removed', ...pick(v, 'decided_by'), decided_at: now })
    .where(openAbout(v, { all: true }))
    .returning(columns),
)

interface Reported {
  readonly member_id: string
  readonly reason: string
  readonly note: string | null
  readonly counts: boolean
  readonly weight: number
  readonly created_at: string
}

const utc = (column: string) =>
  sql`to_char(${sql.ref(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

const cases = () =>
  query
    .selectFrom('moderation_cases as k')
    // There always is one of the two; of pages that are skipped, an outer join is not looked up.
    .leftJoin('discussions as d', 'd.id', 'k.discussion_id')
    .leftJoin('comments as t', 't.id', 'k.comment_id')
    .leftJoin('feedback as f', 'f.id', 'k.feedback_id')
    .leftJoin('feedback_comments as n', 'n.id', 'k.feedback_comment_id')
    .select(columns.map((column) => `k.${column}` as const))
    .select([
      sql<string | null>`coalesce(d.title, f.title)`.as('title'),
      sql<string>`coalesce(t.content, d.content, n.content, f.message)`.as('content'),
      // Of an item there is none: its message is plain text.
      sql<string | null>`coalesce(t.content_html, d.content_html, n.content_html)`.as('content_html'),
      sql<
        string | null
      >`case when n.id is null then coalesce(t.author_id, d.author_id, f.author_id) else n.author_id end`.as(
        'author_id',
      ),
      sql<string>`coalesce(t.status, d.status, case when coalesce(n.visibility, f.visibility) = 'removed' then 'removed'
        when case when n.id is null then f.shown_as else n.shown_as end is null then 'visible' else 'pending' end)`.as(
        'status',
      ),
      sql<string[]>`coalesce(t.attachments, d.attachments, n.attachments, f.attachments)`.as('attachments'),
      sql<Reported[]>`coalesce((
        select jsonb_agg(jsonb_build_object('member_id', r.member_id, 'reason', r.reason, 'note', r.note,
          'counts', r.counts, 'weight', r.weight / 100.0, 'created_at', ${utc('r.created_at')}) order by r.id)
        from (select * from reports where case_id = k.id order by id limit 20) r), '[]')`.as('reported'),
      sql<CaseAppeal | null>`(
        select jsonb_build_object('id', e.id, 'text', e.text, 'decision', e.decision,
          'decided_at', ${utc('e.decided_at')}, 'created_at', ${utc('e.created_at')})
        from appeals e where e.case_id = k.id)`.as('appeal'),
    ])

/** One page of cases, with what they are about. */
export const listCases = defineList({
  label: 'moderation_cases',
  rows: cases,
  key: 'k.id',
  sorts: { age: ['k.id', 'uuid'], weight: ['k.weight', 'int8'] },
  filters: {
    status: choice<'open' | 'resolved'>(
      // In the words of the two indexes.
      (status) =>
        status === 'open' ? sql<SqlBool>`k.decision is null` : sql<SqlBool>`k.decision is not null`,
    ),
    ...between('k.created_at'),
  },
})

/** One page of the cases whose appeals wait for a decision, the oldest case first. */
export const listAppealed = defineList({
  label: 'appealed_cases',
  rows: () =>
    cases()
      .innerJoin('appeals as a', 'a.case_id', 'k.id')
      .select('a.case_id')
      .where('a.decision', 'is', null),
  key: 'a.case_id',
  filters: between('k.created_at'),
  order: 'asc',
})
