import { sql } from 'kysely'
import { now } from '#platform/db/project-clock.ts'
import { defineLookup, defineQuery, pick } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'
import { invalidField } from '#platform/errors.ts'
import { dateRange } from '#platform/http/date-range.ts'
import { parseId } from '#platform/ids.ts'
import { defineList, keptIn } from '#platform/lists/list.ts'
import { anywhere, between, equals, hasId } from '#platform/lists/list-filters.ts'
import type { FindPage } from '#platform/lists/list-parts.ts'
import { submissionColumns } from '../rows.ts'
import type { SubmissionFilter, SubmissionStatus } from './schema.ts'

/** What a member that a submission cannot belong to means to a client. */
export const noMember = (cause?: unknown) =>
  invalidField('member_id', 'exists', 'is not a member of this project', cause)

export interface NewSubmissionRow {
  id: string
  form_id: string
  form_version: number
  status: SubmissionStatus
  data: string
  member_id: string | null
  ip: string
  user_agent: string
  referrer: string
  /** Of what was sent by whom; null where duplicates are not looked for. */
  digest: Buffer | null
  /** For how long the same digest is a duplicate. */
  duplicate_seconds: number
}

const lockDigest = defineQuery('lock_submission_digest', (v: { key: string }) =>
  query.selectNoFrom(sql`pg_advisory_xact_lock(${v.key}::int8)`.as('locked')),
)

const insert = defineQuery(
  'insert_submission',
  (v: NewSubmissionRow) => {
    const isDuplicate = sql<boolean>`exists (select from form_submissions where form_id = ${v.form_id}::uuid
      and digest = ${v.digest}::bytea and created_at > ${now} - ${v.duplicate_seconds}::int4 * interval '1 second')`
    return query
      .insertInto('form_submissions')
      .values({
        ...pick(v, 'id', 'form_id', 'form_version', 'member_id', 'ip', 'user_agent', 'referrer', 'digest'),
        status: sql`case when ${isDuplicate} then 'spam' else ${v.status}::text end`,
        data: sql`${v.data}::jsonb`,
        created_at: now,
      })
      .returning(submissionColumns)
  },
  { form_submissions_member_fkey: noMember },
).single()

/**
 * Stores a submission. It is stored as spam if the same one arrived within the time that its form sets. Two equal
 * submissions at the same time wait for each other.
 * @throws ApiError 422 for a member that does not exist
 */
export function insertSubmission(ctx: Context, row: NewSubmissionRow) {
  if (row.digest !== null) lockDigest(ctx, { key: String(row.digest.readBigInt64BE(0)) })
  return insert(ctx, row)
}

/** The remaining submissions of a deleted form are not shown any more. */
const formIsThere = (formId: string) =>
  sql<boolean>`exists (select from forms where id = ${formId}::uuid and deleted_at is null)`

/** @throws ApiError 404 */
export const getSubmission = defineLookup('submission_by_id', (v: { formId: string; id: string }) =>
  query
    .selectFrom('form_submissions')
    .select(submissionColumns)
    .where('id', '=', v.id)
    .where('form_id', '=', v.formId)
    .where(formIsThere(v.formId)),
).one('Submission')

/** @throws ApiError 404 */
export const setSubmissionStatus = defineQuery(
  'set_submission_status',
  (v: { formId: string; id: string; status: SubmissionStatus }) =>
    query
      .updateTable('form_submissions as s')
      .from('form_submissions as before')
      .set({ status: v.status })
      .whereRef('before.id', '=', 's.id')
      .where('s.id', '=', v.id)
      .where('s.form_id', '=', v.formId)
      .where(formIsThere(v.formId))
      .returning(submissionColumns.map((column) => `s.${column}` as const))
      .returning('before.status as old_status'),
).one('Submission')

/** @throws ApiError 404 */
export const removeSubmission = defineQuery('delete_submission', (v: { formId: string; id: string }) =>
  query
    .deleteFrom('form_submissions')
    .where('id', '=', v.id)
    .where('form_id', '=', v.formId)
    .where(formIsThere(v.formId))
    .returning('id'),
).one('Submission')

/** Deletes so many submissions of a form, and answers which, and which of them have files. */
export const removeSomeSubmissions = defineQuery(
  'delete_submissions_of_form',
  (v: { formId: string; limit: number }) =>
    query
      .deleteFrom('form_submissions')
      .where('id', 'in', (from) =>
        from.selectFrom('form_submissions').select('id').where('form_id', '=', v.formId).limit(v.limit),
      )
      .returning([
        'id',
        sql<boolean>`exists (select from file_attachments a where a.target_kind = 'form_submission'
        and a.target_id = form_submissions.id)`.as('has_files'),
      ]),
)

/** Asks the index of submissions' words, which only a function reaches (decision 0018). */
const findSubmissions: FindPage = (sought) => sql`app.find_submissions(
  ${sought.filter('form_id')}::uuid, lower(${sought.pattern}::text), ${sought.filter('status')}::text,
  ${sought.filter('start_date')}::timestamptz, ${sought.filter('end_date')}::timestamptz,
  ${sought.filter('member_id')}::uuid, ${sql.lit(sought.order === 'desc')}, ${sought.afterValue}::timestamptz,
  ${sought.afterKey}::uuid, ${sought.limit}::int, ${sought.offset}::int8, ${sql.lit(sought.counts)})`

/** One page of a form's submissions, and how many there are in all. Without a filter the total comes from counters. */
export const listSubmissions = defineList({
  label: 'submissions',
  rows: () => query.selectFrom('form_submissions').select(submissionColumns),
  key: 'id',
  scope: { form_id: equals<string>('form_id'), status: equals<SubmissionStatus>('status') },
  filters: { ...between('created_at'), member_id: hasId('member_id', (id) => parseId('member', id)) },
  search: { page: findSubmissions },
  sorts: { created_at: ['created_at', 'timestamptz'] },
  kept: keptIn('form_submission_counts', 'submissions'),
  // Submissions from before there was a bound can have a megabyte.
  long: { json: { data: 'jsonb' } },
})

/** How many submissions of a status a form has, from the counters. */
export const countSubmissions = defineQuery(
  'submissions_counted',
  (v: { formId: string; status: SubmissionStatus }) =>
    query
      .selectFrom('form_submission_counts')
      .select(sql<number>`coalesce(sum(submissions), 0)::int8`.as('total'))
      .where('form_id', '=', v.formId)
      .where('status', '=', v.status),
)
  .map(({ total }) => total)
  .single()

/**
 * The oldest first, as a query that still says nothing of its columns: what an export copies. Whose member it is that no
 * id names is nobody's.
 */
export function submissionsInOrder(formId: string, filter: SubmissionFilter) {
  const { from, until } = dateRange(filter)
  const { search, member_id: member } = filter
  return query
    .selectFrom('form_submissions')
    .where('form_id', '=', formId)
    .where('status', '=', filter.status)
    .$if(from !== null, (rows) => rows.where('created_at', '>=', sql<string>`${from}::timestamptz`))
    .$if(until !== null, (rows) => rows.where('created_at', '<', sql<string>`${until}::timestamptz`))
    .$if(member !== undefined, (rows) =>
      rows.where('member_id', '=', sql<string>`${parseId('member', member ?? '') ?? null}::uuid`),
    )
    .$if(search !== undefined, (rows) =>
      rows.where('search_text', 'like', sql<string>`lower(${anywhere(search ?? '')}::text)`),
    )
    .orderBy('created_at')
    .orderBy('id')
}
