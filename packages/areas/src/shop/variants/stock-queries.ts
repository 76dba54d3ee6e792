import { sql } from 'kysely'
import { defineList } from '#platform/db/lists/list.ts'
import { equals } from '#platform/db/lists/list-filters.ts'
import { now } from '#platform/db/project-clock.ts'
import { query, statement, statements } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'
import { newUuid } from '#platform/ids.ts'
import { cartChanged, outOfStock } from '../errors.ts'

interface Move {
  id: string
  variant: string
  quantity: number
  order: string | null
  reason: string | null
}

const SETTERS = {
  adjust: (v: Move) => ({ stock: sql<number>`coalesce(stock, 0) + ${v.quantity}` }),
  reserve: (v: Move) => ({ reserved: sql<number>`reserved + ${v.quantity}` }),
  release: (v: Move) => ({ reserved: sql<number>`reserved - ${v.quantity}` }),
  sell: (v: Move) => ({
    reserved: sql<number>`reserved - ${v.quantity}`,
    sold: sql<number>`sold + ${v.quantity}`,
  }),
  restock: (v: Move) => ({ sold: sql<number>`sold - ${v.quantity}` }),
}

/**
 * Changes a variant's numbers and writes the ledger, in one statement. The row's own constraints refuse what would go
 * below zero, whatever happens at the same moment.
 */
const moving = (kind: keyof typeof SETTERS) => (v: Move) =>
  query
    .with('moved', (cte) =>
      cte
        .updateTable('product_variants')
        .set({ ...SETTERS[kind](v) })
        .where('id', '=', v.variant)
        .returning(['id', 'stock', 'reserved', 'sold', 'low_stock']),
    )
    .with('ledger', (cte) =>
      cte
        .insertInto('stock_moves')
        .columns(['id', 'variant_id', 'kind', 'quantity', 'order_id', 'reason', 'created_at'])
        .expression(
          sql`select ${v.id}::uuid, id, ${sql.lit(kind)}, ${v.quantity}::int8, ${v.order}::uuid, ${v.reason}::text, ${now} from moved`,
        ),
    )
    .selectFrom('moved')
    .select(['id', 'stock', 'reserved', 'sold', 'low_stock'])

const move = statements('move_stock', moving, {
  variants_free: outOfStock,
  product_variants_stock_check: outOfStock,
})
const reserve = statement('reserve_stock', moving('reserve'), {
  variants_free: (cause) =>
    cartChanged(cause, {
      details: [{ field: 'lines', rule: 'out_of_stock', message: 'are not all in stock any more' }],
    }),
})

export interface StockChanges {
  readonly kind: keyof typeof SETTERS
  readonly variantId: string
  readonly quantity: number
  readonly orderId?: string
  readonly reason?: string
}

/**
 * Moves stock. Several variants are asked in the order of their ids, so that no two orders wait for each other.
 * @throws ApiError 422 OUT_OF_STOCK
 */
export const moveStock = (ctx: Context, { kind, variantId, quantity, orderId, reason }: StockChanges) =>
  ctx.tx.single(move(kind), {
    id: newUuid(),
    variant: variantId,
    quantity,
    order: orderId ?? null,
    reason: reason ?? null,
  })

/** Reserves stock for an order that is being made. @throws ApiError 422 CART_CHANGED */
export const reserveStock = (
  ctx: Context,
  { variantId, quantity, orderId }: { variantId: string; quantity: number; orderId: string },
) => ctx.tx.run(reserve, { id: newUuid(), variant: variantId, quantity, order: orderId, reason: null })

export interface StockNumbers {
  id: string
  stock: number | null
  reserved: number
  sold: number
  low_stock: number
}

const locked = statement('lock_variants', (v: { ids: readonly string[] }) =>
  query
    .selectFrom('product_variants')
    .select(['id', 'stock', 'reserved', 'sold', 'low_stock'])
    .where('id', '=', sql<string>`any (${v.ids}::uuid[])`)
    .orderBy('id')
    .forUpdate(),
)

/** Holds variants still, in the order of their ids. */
export const lockVariants = (ctx: Context, ids: readonly string[]) => ctx.tx.all(locked, { ids })

/** The ledger of a variant, the newest move first. */
export const listMoves = defineList({
  label: 'stock_moves',
  rows: () =>
    query.selectFrom('stock_moves').select(['id', 'kind', 'quantity', 'order_id', 'reason', 'created_at']),
  key: 'id',
  scope: { variant: equals<string>('variant_id') },
  counts: false,
})
