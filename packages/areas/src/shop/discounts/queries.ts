import { sql } from 'kysely'
import { defineList } from '#platform/db/lists/list.ts'
import { now } from '#platform/db/project-clock.ts'
import { lookup, query, statement } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'
import { codeTaken, discountInvalid } from '../errors.ts'
import { type DiscountRow, discountColumns } from './rows.ts'

const CONSTRAINTS = {
  discounts_code_key: codeTaken,
  discounts_used_up: (cause: unknown) =>
    discountInvalid(cause, { message: 'The discount code has been used up' }),
}

const live = () =>
  query.selectFrom('discounts as d').select(discountColumns).where('d.deleted_at', 'is', null)

const byId = lookup('discount_by_id', (v: { id: string }) => live().where('d.id', '=', v.id))

/** @throws ApiError 404 */
export const getDiscount = (ctx: Context, id: string) => ctx.tx.one(byId, { id }, 'Discount')

const lock = statement('lock_discount', (v: { id: string }) => live().where('d.id', '=', v.id).forUpdate())

/** @throws ApiError 404 */
export const lockDiscount = (ctx: Context, id: string) => ctx.tx.one(lock, { id }, 'Discount')

const byCode = lookup('discount_by_code', (v: { code: string }) => live().where('d.code_key', '=', v.code))

/** The discount of a code, in whatever case it is typed. */
export const findByCode = (ctx: Context, code: string) => ctx.tx.first(byCode, { code: code.toLowerCase() })

/** The newest first. */
export const listDiscounts = defineList({ label: 'discounts', rows: live, key: 'd.id' })

export type DiscountValues = Omit<DiscountRow, 'used' | 'created_at' | 'updated_at'>

const columns = (v: DiscountValues) => ({
  code: v.code,
  percent_milli: v.percent_milli,
  amount_minor: v.amount_minor,
  currency: v.currency,
  starts_at: v.starts_at,
  ends_at: v.ends_at,
  max_uses: v.max_uses,
  max_uses_per_member: v.max_uses_per_member,
  product_ids: v.product_ids,
  is_active: v.is_active,
})

const insert = statement(
  'insert_discount',
  (v: DiscountValues) =>
    query.insertInto('discounts').values({ ...columns(v), id: v.id, created_at: now, updated_at: now }),
  CONSTRAINTS,
)

/** @throws ApiError 422 CODE_TAKEN */
const known = statement('discount_products', (v: { ids: readonly string[] }) =>
  query.selectFrom('products').select('id').where('id', '=', sql<string>`any (${v.ids}::uuid[])`),
)
/** Those of these products that there are. */
export const findProducts = (ctx: Context, ids: readonly string[]) =>
  ctx.tx.all(known, { ids }).map((rows) => new Set(rows.map(({ id }) => id)))

export const insertDiscountRow = (ctx: Context, discount: DiscountValues) => ctx.tx.run(insert, discount)

const update = statement(
  'update_discount',
  (v: DiscountValues) =>
    query
      .updateTable('discounts')
      .set({ ...columns(v), updated_at: now })
      .where('id', '=', v.id),
  CONSTRAINTS,
)

/** @throws ApiError 422 CODE_TAKEN */
export const updateDiscountRow = (ctx: Context, discount: DiscountValues) => ctx.tx.run(update, discount)

const remove = statement('delete_discount', (v: { id: string }) =>
  query
    .updateTable('discounts')
    .set({ deleted_at: now, is_active: false })
    .where('id', '=', v.id)
    .where('deleted_at', 'is', null)
    .returning('id'),
)

/** Orders that have it keep it. @throws ApiError 404 */
export const deleteDiscountRow = (ctx: Context, id: string) => ctx.tx.one(remove, { id }, 'Discount')

const use = statement(
  'use_discount',
  (v: { id: string; by: number }) =>
    query
      .updateTable('discounts')
      .set({ used: sql`used + ${v.by}` })
      .where('id', '=', v.id),
  CONSTRAINTS,
)

/** Counts a use, or gives one back with -1. The last one goes to one of many. @throws ApiError 422 DISCOUNT_INVALID */
export const countUse = (ctx: Context, id: string, by: 1 | -1) => ctx.tx.run(use, { id, by })

const useAgain = statement('use_discount_again', (v: { id: string; member: string }) =>
  query
    .updateTable('discounts as d')
    .set({ used: sql`used + 1` })
    .where('d.id', '=', v.id)
    .where(sql<boolean>`used < coalesce(max_uses, used + 1)`)
    .where(
      sql<boolean>`(max_uses_per_member is null or max_uses_per_member > (select count(*) from orders
        where discount_id = ${v.id} and member_id = ${v.member} and status <> 'canceled'))`,
    )
    .returning('d.id'),
)

/**
 * Counts the use of an order that is paid after it was canceled. What ended meanwhile held when the order was made, and
 * holds for it; a use that another order has taken is gone. Exact while the member's cart is locked.
 * @returns whether there was one left
 */
export const countLateUse = (ctx: Context, id: string, member: string) =>
  ctx.tx.first(useAgain, { id, member }).map((row) => row !== undefined)

const uses = lookup('discount_uses_of_member', (v: { id: string; member: string }) =>
  query
    .selectFrom('orders')
    .select(sql<number>`count(*)`.as('uses'))
    .where('discount_id', '=', v.id)
    .where('member_id', '=', v.member)
    .where('status', '<>', 'canceled'),
)

/** How often a member has used it. Exact while the member's cart is locked. */
export const usesOfMember = (ctx: Context, id: string, member: string) =>
  ctx.tx.single(uses, { id, member }).map((row) => row.uses)
