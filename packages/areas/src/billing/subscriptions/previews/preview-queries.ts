import { sql } from 'kysely'
import { query, statement } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'

const now = sql<string>`(select app.project_now())`

export interface NewPreview {
  id: string
  subscription_id: string
  revision: number
  plan_id: string
  plan_version: number
  at_period_end: boolean
  amount_minor: number
  priced_at: string
}

const insert = statement('insert_preview', (v: NewPreview) =>
  query
    .insertInto('subscription_previews')
    .values({
      id: v.id,
      subscription_id: v.subscription_id,
      revision: v.revision,
      plan_id: v.plan_id,
      plan_version: v.plan_version,
      at_period_end: v.at_period_end,
      amount_minor: v.amount_minor,
      priced_at: v.priced_at,
      expires_at: sql`${v.priced_at}::timestamptz + interval '15 minutes'`,
    })
    .returning('expires_at'),
)
export const insertPreviewRow = (ctx: Context, preview: NewPreview) => ctx.tx.single(insert, preview)

const find = statement('find_preview', (v: { id: string; subscription_id: string }) =>
  query
    .selectFrom('subscription_previews')
    .select(['revision', 'plan_id', 'plan_version', 'at_period_end', 'amount_minor', 'priced_at'])
    .where('id', '=', v.id)
    .where('subscription_id', '=', v.subscription_id)
    .where('expires_at', '>', now),
)
/** A preview of this subscription that still holds. */
export const findPreview = (ctx: Context, id: string, subscription_id: string) =>
  ctx.tx.first(find, { id, subscription_id })

const forget = statement('forget_previews', () =>
  query.deleteFrom('subscription_previews').where('expires_at', '<', now),
)
/** Nobody can use them any more. */
export const forgetPreviews = (ctx: Context) => ctx.tx.run(forget, {})
