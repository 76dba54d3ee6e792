import { sql } from 'kysely'
import { defineList } from '#platform/db/lists/list.ts'
import { equals } from '#platform/db/lists/list-filters.ts'
import { now } from '#platform/db/project-clock.ts'
import { lookup, query, statement } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'
import { formColumns } from '../rows.ts'
import type { FormChanges, FormStatus, FormType, Settings } from '../schema.ts'

const live = () => query.selectFrom('forms').where('deleted_at', 'is', null)

/** Submissions of a form that were received, from the counters. */
const received = sql<number>`coalesce((select sum(submissions) from form_submission_counts c
  where c.form_id = forms.id and c.status = 'received'), 0)::int8`.as('submission_count')

const byId = lookup('form_by_id', (v: { id: string }) =>
  live()
    .select([...formColumns, received])
    .where('id', '=', v.id),
)
/** @throws ApiError 404 */
export const getForm = (ctx: Context, id: string) => ctx.tx.one(byId, { id }, 'Form')

const exists = statement('form_exists', (v: { id: string }) => live().select('id').where('id', '=', v.id))
/** Whether there is such a form. */
export const formExists = (ctx: Context, id: string) =>
  ctx.tx.first(exists, { id }).map((row) => row !== undefined)

/** One page of forms, the newest first, and how many there are in all. */
export const listForms = defineList({
  label: 'forms',
  rows: () =>
    live().select(['id', 'name', 'description', 'type', 'status', 'created_at', 'updated_at', received]),
  key: 'id',
  filters: { status: equals<FormStatus>('status'), type: equals<FormType>('type') },
})

export interface NewFormRow {
  id: string
  name: string
  description: string
  type: string
  fields: string
  settings: string
}

const insert = statement('insert_form', (v: NewFormRow) =>
  query
    .insertInto('forms')
    .values({
      id: v.id,
      name: v.name,
      description: v.description,
      type: v.type,
      fields: sql`${v.fields}::jsonb`,
      settings: sql`${v.settings}::jsonb`,
      created_at: now,
      updated_at: now,
    })
    .returning(formColumns),
)
export const insertFormRow = (ctx: Context, form: NewFormRow) => ctx.tx.single(insert, form)

const lock = statement('lock_form', (v: { id: string }) =>
  live()
    .select([...formColumns, received])
    .where('id', '=', v.id)
    .forNoKeyUpdate(),
)
/** A form that nobody else changes until this transaction ends. @throws ApiError 404 */
export const lockForm = (ctx: Context, id: string) => ctx.tx.one(lock, { id }, 'Form')

interface UpdateValues {
  id: string
  name: string | null
  description: string | null
  type: string | null
  fields: string | null
  settings: string | null
}

const update = statement('update_form', (v: UpdateValues) =>
  query
    .updateTable('forms')
    .set({
      name: sql`coalesce(${v.name}::text, name)`,
      description: sql`coalesce(${v.description}::text, description)`,
      type: sql`coalesce(${v.type}::text, type)`,
      fields: sql`coalesce(${v.fields}::jsonb, fields)`,
      settings: sql`coalesce(${v.settings}::jsonb, settings)`,
      updated_at: now,
    })
    .where('id', '=', v.id)
    .returning(formColumns),
)
export type FormUpdate = Omit<FormChanges, 'settings'> & { readonly settings: Settings }

/** Changes what is given of a form that is locked. */
export const updateFormRow = (ctx: Context, id: string, changes: FormUpdate) =>
  ctx.tx.single(update, {
    id,
    name: changes.name ?? null,
    description: changes.description ?? null,
    type: changes.type ?? null,
    fields: changes.fields === undefined ? null : JSON.stringify(changes.fields),
    settings: JSON.stringify(changes.settings),
  })

const insertVersion = statement('insert_form_version', (v: { id: string }) =>
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
)
/** Keeps a form that is locked as its next version; undefined where it is as its latest version already. */
export const publishVersionRow = (ctx: Context, id: string) => ctx.tx.first(insertVersion, { id })

const setStatus = statement('set_form_status', (v: { id: string; status: string; version: number }) =>
  query
    .updateTable('forms')
    .set({
      published_at: sql`case when version < ${v.version} then ${now} else published_at end`,
      status: v.status,
      version: v.version,
      updated_at: now,
    })
    .where('id', '=', v.id)
    .returning(formColumns),
)
/** Of a form that is locked. */
export const setFormStatus = (ctx: Context, form: { id: string; status: string; version: number }) =>
  ctx.tx.single(setStatus, form)

const markDeleted = statement('mark_form_deleted', (v: { id: string }) =>
  query
    .updateTable('forms')
    .set({ deleted_at: now })
    .where('id', '=', v.id)
    .where('deleted_at', 'is', null)
    .returning('id'),
)
/** @throws ApiError 404 */
export const markFormDeleted = (ctx: Context, id: string) => ctx.tx.one(markDeleted, { id }, 'Form')

const remove = statement('delete_form', (v: { id: string }) =>
  query.deleteFrom('forms').where('id', '=', v.id).where('deleted_at', 'is not', null),
)
/** Of a form that is marked as deleted and has no submissions any more. */
export const removeFormRow = (ctx: Context, id: string) => ctx.tx.all(remove, { id })
