import { query, statement } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'
import { fieldsOf } from '../rows.ts'
import type { VersionFields } from './columns.ts'

const form = statement('exported_form', (v: { id: string }) =>
  query
    .selectFrom('forms')
    .select(['name', 'fields', 'version'])
    .where('id', '=', v.id)
    .where('deleted_at', 'is', null),
)
const versions = statement('exported_form_versions', (v: { id: string }) =>
  query
    .selectFrom('form_versions')
    .select(['version', 'fields'])
    .where('form_id', '=', v.id)
    .orderBy('version', 'desc'),
)

/** What an export needs of a form. */
export interface ExportedForm {
  readonly name: string
  /** The latest first. A form that was never published has its draft here, for which there are no submissions. */
  readonly versions: readonly VersionFields[]
}

/** @throws ApiError 404 */
export const getExportedForm = (ctx: Context, id: string) =>
  ctx.tx
    .one(form, { id }, 'Form')
    .and(ctx.tx.all(versions, { id }))
    .map(([draft, published]): ExportedForm => {
      const all = published.length > 0 ? published : [{ version: draft.version, fields: draft.fields }]
      return {
        name: draft.name,
        versions: all.map((row) => ({ version: row.version, fields: fieldsOf(row) })),
      }
    })
