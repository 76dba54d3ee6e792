import { sql } from 'kysely'
import { now } from '#platform/db/project-clock.ts'
import { defineQueries, defineQuery } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'
import { emit } from '#platform/events/emit.ts'
import { newUuid, toId } from '#platform/ids.ts'
import { defineList } from '#platform/lists/list.ts'
import { equals } from '#platform/lists/list-filters.ts'
import { cartChanged, outOfStock } from '../errors.ts'
import { stockLow } from '../events.ts'
import { moveId, orderId, variantId } from '../ids.ts'
import { freeOf } from './queries.ts'
import type { StockMove } from './schema.ts'

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
type Kind = keyof typeof SETTERS

const numbers = ['id', 'stock', 'reserved', 'sold', 'low_stock'] as const

/**
 * Changes a variant's numbers and writes the ledger, in one statement. The row's own constraints refuse what would go
 * below zero, whatever happens at the same moment.
 */
const moving = (kind: Kind) => (v: Move) =>
  query
    .with('moved', (cte) =>
      cte
        .updateTable('product_variants')
        .set({ ...SETTERS[kind](v) })
        .where('id', '=', v.variant)
        .returning(numbers),
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
    .select(numbers)

const move = defineQueries('move_stock', moving, {
  variants_free: outOfStock,
  product_variants_stock_check: outOfStock,
})

/** Says that stock came or went. @throws ApiError 422 OUT_OF_STOCK */
export async function adjustStock(
  ctx: Context,
  variant: string,
  quantity: number,
  reason: string,
): Promise<void> {
  const moved = move('adjust').single()(ctx, { id: newUuid(), variant, quantity, order: null, reason })
  if (quantity < 0) announceLow(ctx, await moved, -quantity)
}

const reserve = defineQuery('reserve_stock', moving('reserve'), {
  variants_free: (cause) =>
    cartChanged(cause, {
      details: [{ field: 'lines', rule: 'out_of_stock', message: 'are not all in stock any more' }],
    }),
})

/** Of orders. */
type Lines = readonly {
  readonly variant_id: string | null
  readonly quantity: number
  readonly is_tracked: boolean
}[]

/** The quantity of each variant, in the order of ids, which is the order in which several variants are locked. */
function byVariant(lines: Lines): [variantId: string, quantity: number][] {
  const sums = new Map<string, number>()
  for (const { variant_id, quantity, is_tracked } of lines)
    if (is_tracked && variant_id !== null) sums.set(variant_id, (sums.get(variant_id) ?? 0) + quantity)
  return [...sums].sort(([a], [b]) => (a < b ? -1 : 1))
}

/** Reserves stock for the lines of an order that is being made. Nobody waits for it. @throws ApiError 422 CART_CHANGED */
export function reserveLines(ctx: Context, order: string, lines: Lines): void {
  for (const [variant, quantity] of byVariant(lines))
    reserve(ctx, { id: newUuid(), variant, quantity, order, reason: null })
}

/**
 * Moves the stock of an order's lines. Lines that draw on the same variant are one move.
 * @throws ApiError 422 OUT_OF_STOCK
 */
export async function moveLines(ctx: Context, kind: Kind, order: string, lines: Lines): Promise<void> {
  const moves = byVariant(lines).map(([variant, quantity]) => ({
    quantity,
    moved: move(kind).single()(ctx, { id: newUuid(), variant, quantity, order, reason: null }),
  }))
  if (kind !== 'sell') return
  for (const { quantity, moved } of moves) announceLow(ctx, await moved, quantity)
}

/** Announces once that little is left: when what is there falls to the variant's mark. */
function announceLow(
  ctx: Context,
  { id, stock, sold, low_stock }: { id: string; stock: number | null; sold: number; low_stock: number },
  gone: number,
): void {
  if (stock === null) return
  const on_hand = stock - sold
  if (on_hand > low_stock || on_hand + gone <= low_stock) return
  emit(ctx, stockLow, { id: toId(variantId, id), on_hand, low_stock })
}

const lockVariants = defineQuery('lock_variants', (v: { ids: readonly string[] }) =>
  query
    .selectFrom('product_variants')
    .select(numbers)
    .where('id', '=', sql<string>`any (${v.ids}::uuid[])`)
    .orderBy('id')
    .forUpdate(),
)

/** Whether all lines of a canceled order could be reserved again. Their variants are locked, in the order of their ids. */
export async function areFree(ctx: Context, lines: Lines): Promise<boolean> {
  const wanted = byVariant(lines)
  const rows = await lockVariants(ctx, { ids: wanted.map(([variant]) => variant) })
  const free = new Map(rows.map((row) => [row.id, freeOf(row)]))
  return wanted.every(([variant, quantity]) => (free.get(variant) ?? 0) >= quantity)
}

/** The ledger of a variant, the newest move first. */
export const listMoves = defineList({
  label: 'stock_moves',
  rows: () =>
    query.selectFrom('stock_moves').select(['id', 'kind', 'quantity', 'order_id', 'reason', 'created_at']),
  key: 'id',
  scope: { variant: equals<string>('variant_id') },
  counts: false,
  map: (row): StockMove => ({
    ...row,
    id: toId(moveId, row.id),
    kind: row.kind as StockMove['kind'],
    order_id: row.order_id === null ? null : toId(orderId, row.order_id),
  }),
})
