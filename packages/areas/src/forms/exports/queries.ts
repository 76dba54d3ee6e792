import { sql } from 'kysely'
import { defineQuery } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import { fieldsOf } from '../rows.ts'
import type { VersionFields } from './columns.ts'

/** What an export needs of a form. */
export interface ExportedForm {
  readonly name: string
  /** The latest first. A form that was never published has its draft here, for which there are no submissions. */
  readonly versions: readonly VersionFields[]
}

/** @throws ApiError 404 */
export const getExportedForm = defineQuery('exported_form', (v: { id: string }) =>
  query
    .selectFrom('forms as f')
    .select(['f.name', 'f.fields', 'f.version'])
    .select(
      sql<
        VersionFields[]
      >`(select coalesce(jsonb_agg(jsonb_build_object('version', v.version, 'fields', v.fields)
        order by v.version desc), '[]') from form_versions v where v.form_id = f.id)`.as('published'),
    )
    .where('f.id', '=', v.id)
    .where('f.deleted_at', 'is', null),
)
  .map(
    ({ name, published, ...draft }): ExportedForm => ({
      name,
      versions: published.length > 0 ? published : [{ version: draft.version, fields: fieldsOf(draft) }],
    }),
  )
  .one('Form')
