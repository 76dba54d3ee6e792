import { sql } from 'kysely'
import { query, statement } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'
import { offsetOf, type PageRequest } from '#platform/http/page.ts'

const columns = ['version', 'fields', 'settings', 'created_at'] as const

const page = statement('form_versions_page', (v: { formId: string; limit: number; offset: number }) =>
  query
    .selectFrom('form_versions')
    .select(columns)
    .where('form_id', '=', v.formId)
    .orderBy('version', 'desc')
    .limit(v.limit)
    .offset(v.offset),
)
const count = statement('form_versions_count', (v: { formId: string }) =>
  query.selectFrom('form_versions').select(sql<number>`count(*)`.as('total')).where('form_id', '=', v.formId),
)

/** One page of a form's versions, the latest first, and how many there are in all. */
export function listVersions(ctx: Context, formId: string, request: PageRequest) {
  const rows = ctx.tx.all(page, { formId, limit: request.limit, offset: offsetOf(request) })
  return rows.and(ctx.tx.single(count, { formId })).map(([versions, { total }]) => ({ versions, total }))
}

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
    .where('id', '=', v.id)
    .where('deleted_at', 'is', null),
)
/** What of a form is not pinned by its version. @throws ApiError 404 */
export const getHead = (ctx: Context, id: string) => ctx.tx.one(head, { id }, 'Form')
