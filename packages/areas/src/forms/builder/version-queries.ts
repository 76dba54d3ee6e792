import { defineList } from '#platform/db/lists/list.ts'
import { equals } from '#platform/db/lists/list-filters.ts'
import { now } from '#platform/db/project-clock.ts'
import { query, statement } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'

const columns = ['version', 'fields', 'settings', 'created_at'] as const

/** One page of a form's versions, the latest first, and how many there are in all. */
export const listVersions = defineList({
  label: 'form_versions',
  rows: () => query.selectFrom('form_versions').select(columns),
  key: 'version',
  keyType: 'int8',
  scope: { form_id: equals<string>('form_id') },
})

const one = statement('form_version', (v: { formId: string; version: number }) =>
  query
    .selectFrom('form_versions')
    .select(columns)
    .where('form_id', '=', v.formId)
    .where('version', '=', v.version),
)
/** @throws ApiError 404 */
export const getVersion = (ctx: Context, formId: string, version: number) =>
  ctx.tx.one(one, { formId, version }, 'Form version')

const head = statement('form_head', (v: { id: string }) =>
  query
    .selectFrom('forms')
    .select(['id', 'project_id', 'name', 'description', 'type', 'status', 'version'])
    .select(now.as('now'))
    .where('id', '=', v.id)
    .where('deleted_at', 'is', null),
)
/** What of a form is not pinned by its version, and what time it is. @throws ApiError 404 */
export const getHead = (ctx: Context, id: string) => ctx.tx.one(head, { id }, 'Form')
