import { sql } from 'kysely'
import { now } from '#platform/db/project-clock.ts'
import { defineLookup, defineQuery, pick } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import { emit } from '#platform/events/emit.ts'
import { definePatch, jsonField, mergedField } from '#platform/http/define-patch.ts'
import { defineList } from '#platform/lists/list.ts'
import { between, contains, equals } from '#platform/lists/list-filters.ts'
import { formUpdated } from '../events.ts'
import { formColumns, toForm, toListItem, toVersion } from '../rows.ts'
import { FormChanges, type FormStatus, type FormType } from '../schema.ts'

const live = () => query.selectFrom('forms').where('deleted_at', 'is', null)

/** Submissions of a form that were received, from the counters. */
const received = sql<number>`coalesce((select sum(submissions) from form_submission_counts c
  where c.form_id = forms.id and c.status = 'received'), 0)::int8`.as('submission_count')

const counted = () => live().select([...formColumns, received])

const formById = defineLookup('form_by_id', (v: { id: string }) => counted().where('id', '=', v.id))
/** @throws ApiError 404 */
export const getForm = formById.map(toForm).one('Form')

/** @throws ApiError 404 */
export const assertFormExists = defineQuery('form_exists', (v: { id: string }) =>
  live().select('id').where('id', '=', v.id),
).one('Form')

/** One page of forms, the newest first, and how many there are in all. */
export const listForms = defineList({
  label: 'forms',
  rows: () =>
    live().select(['id', 'name', 'description', 'type', 'status', 'created_at', 'updated_at', received]),
  map: toListItem,
  key: 'id',
  filters: {
    status: equals<FormStatus>('status'),
    type: equals<FormType>('type'),
    ...between('created_at'),
  },
  search: contains('name'),
  // A project has 500 at the most.
  sorts: {
    created_at: ['created_at', 'timestamptz'],
    name: ['name', 'text'],
    updated_at: ['updated_at', 'timestamptz'],
  },
})

interface NewFormRow {
  id: string
  name: string
  description: string
  type: string
  fields: string
  settings: string
}
export const insertForm = defineQuery('insert_form', (v: NewFormRow) =>
  query.insertInto('forms').values({
    ...pick(v, 'id', 'name', 'description', 'type'),
    fields: sql`${v.fields}::jsonb`,
    settings: sql`${v.settings}::jsonb`,
    created_at: now,
    updated_at: now,
  }),
)

/** A form that nobody else changes until this transaction ends. @throws ApiError 404 */
export const lockForm = defineQuery('lock_form', (v: { id: string }) =>
  counted().where('id', '=', v.id).forNoKeyUpdate(),
)
  .map(toForm)
  .one('Form')

/** Changes what is sent; whether the form still holds together is for the service to say. @throws ApiError 404 */
export const patchForm = definePatch('forms', {
  body: FormChanges,
  current: getForm,
  columns: ['name', 'description', 'type'],
  fields: { fields: jsonField('fields'), settings: mergedField('settings') },
  also: { updated_at: now },
  announce: (ctx, form) => emit(ctx, formUpdated, form),
})

/** Keeps a form that is locked as its next version; undefined where it is as its latest version already. */
export const insertVersion = defineQuery('insert_form_version', (v: { id: string }) =>
  query
    .insertInto('form_versions')
    .columns(['form_id', 'version', 'fields', 'settings', 'created_at'])
    .expression(
      query
        .selectFrom('forms as f')
        .leftJoin('form_versions as v', (on) =>
          on.onRef('v.form_id', '=', 'f.id').onRef('v.version', '=', 'f.version'),
        )
        .select([
          'f.id',
          sql<number>`f.version + 1`.as('version'),
          'f.fields',
          'f.settings',
          now.as('created_at'),
        ])
        .where('f.id', '=', v.id)
        .where(sql<boolean>`(v.fields, v.settings) is distinct from (f.fields, f.settings)`),
    )
    .returning('version'),
).first()

/** Of a form that is locked. */
export const setFormStatus = defineQuery(
  'set_form_status',
  (v: { id: string; status: FormStatus; version: number }) =>
    query
      .updateTable('forms')
      .set({
        published_at: sql`case when version < ${v.version} then ${now} else published_at end`,
        ...pick(v, 'status', 'version'),
        updated_at: now,
      })
      .where('id', '=', v.id),
)

/** @throws ApiError 404 */
export const markFormDeleted = defineQuery('mark_form_deleted', (v: { id: string }) =>
  query
    .updateTable('forms')
    .set({ deleted_at: now })
    .where('id', '=', v.id)
    .where('deleted_at', 'is', null)
    .returning('name'),
).one('Form')

/** Of a form that is marked as deleted and has no submissions any more. */
export const deleteFormRow = defineQuery('delete_form', (v: { id: string }) =>
  query.deleteFrom('forms').where('id', '=', v.id).where('deleted_at', 'is not', null),
)

const versions = () =>
  query.selectFrom('form_versions').select(['version', 'fields', 'settings', 'created_at'])

/** One page of a form's versions, the latest first, and how many there are in all. */
export const listVersions = defineList({
  label: 'form_versions',
  rows: versions,
  map: toVersion,
  key: 'version',
  keyType: 'int8',
  scope: { form_id: equals<string>('form_id') },
  long: { json: { fields: 'jsonb' } },
})

/** @throws ApiError 404 */
export const getVersion = defineQuery('form_version', (v: { formId: string; version: number }) =>
  versions().where('form_id', '=', v.formId).where('version', '=', v.version),
)
  .map(toVersion)
  .one('Form version')

/** The fields of a form that its version does not fix, and the present time. @throws ApiError 404 */
export const getHead = defineQuery('form_head', (v: { id: string }) =>
  live()
    .select(['id', 'project_id', 'name', 'description', 'type', 'status', 'version'])
    .select(now.as('now'))
    .where('id', '=', v.id),
).one('Form')
