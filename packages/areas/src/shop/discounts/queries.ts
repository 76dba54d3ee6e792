import { type InferResult, sql } from 'kysely'
import { now } from '#platform/db/project-clock.ts'
import { defineLookup, defineQuery, deriveQuery, pick } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import { definePatch, givenField } from '#platform/http/define-patch.ts'
import { toId } from '#platform/ids.ts'
import { defineList } from '#platform/lists/list.ts'
import { between, contains, equals } from '#platform/lists/list-filters.ts'
import { fromMinor } from '#platform/values/money.ts'
import { codeTaken, discountInvalid } from '../errors.ts'
import { discountId, productId } from '../ids.ts'
import { fromMilli } from '../money/order-amounts.ts'
import { type Discount, DiscountChanges } from './schema.ts'

const CONSTRAINTS = {
  discounts_code_key: codeTaken,
  discounts_used_up: (cause: unknown) =>
    discountInvalid(cause, { message: 'The discount code has been used up' }),
}

/** Discounts that are not deleted, beside what they are joined to. */
export const discounts = () =>
  query
    .selectFrom('discounts as d')
    .select(['d.id', 'd.code', 'd.percent_milli', 'd.amount_minor', 'd.currency', 'd.starts_at', 'd.ends_at'])
    .select(['d.max_uses', 'd.max_uses_per_member', 'd.product_ids', 'd.used', 'd.is_active'])
    .select(['d.created_at', 'd.updated_at'])
    .where('d.deleted_at', 'is', null)
export type DiscountRow = InferResult<ReturnType<typeof discounts>>[number]
/** A discount, as a member uses it. */
export type UsableDiscount = DiscountRow & { readonly uses: number }

export const toDiscount = ({ percent_milli, amount_minor, ...row }: DiscountRow): Discount => ({
  ...row,
  id: toId(discountId, row.id),
  percent: percent_milli === null ? null : fromMilli(percent_milli),
  amount: amount_minor === null ? null : fromMinor(amount_minor, row.currency ?? 'usd'),
  product_ids: row.product_ids.map((id) => toId(productId, id)),
})

/** @throws ApiError 404 */
export const getDiscount = defineLookup('discount_by_id', (v: { id: string }) =>
  discounts().where('d.id', '=', v.id),
)
  .map(toDiscount)
  .one('Discount')

/** @throws ApiError 404 */
export const lockDiscount = defineQuery('lock_discount', (v: { id: string }) =>
  discounts().where('d.id', '=', v.id).forUpdate(),
).one('Discount')

/**
 * How often a member has used the discount `d`; 0 where that does not matter. Exact while the member's cart is locked.
 * @param member the stored id
 */
export const usesBy = (member: string) =>
  sql<number>`case when d.max_uses_per_member is null then 0 else (select count(*) from orders as o
    where o.discount_id = d.id and o.member_id = ${member} and o.status <> 'canceled') end`.as('uses')

/** @param code in lower case: it may be typed in whatever case */
export const findByCode = defineLookup('discount_by_code', (v: { code: string; member: string }) =>
  discounts().select(usesBy(v.member)).where('d.code_key', '=', v.code),
).first()

/** One page of discounts, and how many there are in all. */
export const listDiscounts = defineList({
  label: 'discounts',
  rows: discounts,
  key: 'd.id',
  map: toDiscount,
  filters: { is_active: equals<boolean>('d.is_active'), ...between('d.created_at') },
  search: contains({ lowered: 'd.code_key' }),
  sorts: { created_at: ['d.created_at', 'timestamptz'], code: ['d.code_key', 'text'] },
})

export type DiscountValues = Omit<DiscountRow, 'used' | 'created_at' | 'updated_at'>

const columns = (v: DiscountValues) => ({
  ...pick(v, 'code', 'percent_milli', 'amount_minor', 'currency', 'starts_at', 'ends_at', 'max_uses'),
  ...pick(v, 'max_uses_per_member', 'product_ids', 'is_active'),
})

/** @throws ApiError 422 CODE_TAKEN */
export const insertDiscount = defineQuery(
  'insert_discount',
  (v: DiscountValues) =>
    query.insertInto('discounts').values({ ...columns(v), id: v.id, created_at: now, updated_at: now }),
  CONSTRAINTS,
)

/** Those of these products that exist. */
export const findProducts = defineQuery('discount_products', (v: { ids: readonly string[] }) =>
  query.selectFrom('products').select('id').where('id', '=', sql<string>`any (${v.ids}::uuid[])`),
).map(({ id }) => id)

const reduction = givenField('percent_milli', 'amount_minor', 'currency')
/** Changes what is sent of a discount that is locked, to the values that were judged. @throws ApiError 422 CODE_TAKEN */
export const patchDiscount = definePatch('discounts', {
  body: DiscountChanges,
  current: deriveQuery(({ id }: DiscountValues) => getDiscount({ id })),
  columns: ['code', 'starts_at', 'ends_at', 'max_uses', 'max_uses_per_member', 'is_active'],
  fields: {
    percent: reduction,
    amount: reduction,
    currency: reduction,
    product_ids: givenField('product_ids'),
  },
  also: { updated_at: now },
  constraints: CONSTRAINTS,
})

/** Orders that have it keep it. @throws ApiError 404 */
export const removeDiscount = defineQuery('delete_discount', (v: { id: string }) =>
  query
    .updateTable('discounts')
    .set({ deleted_at: now, is_active: false })
    .where('id', '=', v.id)
    .where('deleted_at', 'is', null)
    .returning('code'),
).one('Discount')

/** Counts a use, or gives one back with -1. The last one goes to one of many. @throws ApiError 422 DISCOUNT_INVALID */
export const countUse = defineQuery(
  'use_discount',
  (v: { id: string; by: 1 | -1 }) =>
    query
      .updateTable('discounts')
      .set({ used: sql`used + ${v.by}` })
      .where('id', '=', v.id),
  CONSTRAINTS,
)

/**
 * Counts the use of an order that is paid after it was canceled. What ended meanwhile held when the order was made, and
 * holds for it; a use that another order has taken is gone. Exact while the member's cart is locked. Answers undefined where
 * there was none left.
 */
export const countLateUse = defineQuery('use_discount_again', (v: { id: string; member: string }) =>
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
).first()
