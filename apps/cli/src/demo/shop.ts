import { sql } from 'kysely'
import { recordRefund } from '#areas/billing/payments/refunds/refund.ts'
import { orderLineId } from '#areas/entitlements/ids.ts'
import { addToCart, applyDiscount } from '#areas/shop/cart/service.ts'
import { checkOut } from '#areas/shop/checkout/checkout.ts'
import { createDiscount, updateDiscount } from '#areas/shop/discounts/service.ts'
import { discountId, orderId, productId } from '#areas/shop/ids.ts'
import { markPaid } from '#areas/shop/orders/payments.ts'
import { getOrder, lockOrder } from '#areas/shop/orders/queries.ts'
import { cancelOrder, completeOrder, fulfillOrder } from '#areas/shop/orders/service.ts'
import type { NewProduct } from '#areas/shop/products/schema.ts'
import { createProduct } from '#areas/shop/products/service.ts'
import { refundOrder } from '#areas/shop/refunds/refund.ts'
import type { NewVariant } from '#areas/shop/variants/schema.ts'
import { createVariant } from '#areas/shop/variants/service.ts'
import { defineQuery } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'
import { parseId, toId } from '#platform/ids.ts'
import { HOUR_MS } from './agenda.ts'
import { actingAs, as, type Part, type Person, readPeople, type Scene } from './part.ts'

const terms = { currency: 'eur', tax_percent: 19 } as const

/** Products to be sent and to be downloaded, with their variants and stock. */
const PRODUCTS: readonly (readonly [NewProduct, readonly NewVariant[]])[] = [
  [
    {
      ...terms,
      name: 'Merino yarn',
      slug: 'merino-yarn',
      description: '50 g, soft',
      category: 'material',
      price: 8.9,
    },
    [
      { name: 'Indigo', sku: 'MERINO-INDIGO', options: { color: 'indigo' }, stock: 300, low_stock: 10 },
      { name: 'Madder', sku: 'MERINO-MADDER', options: { color: 'madder' }, stock: 260, low_stock: 10 },
      { name: 'Walnut', sku: 'MERINO-WALNUT', options: { color: 'walnut' }, stock: 0, low_stock: 10 },
    ],
  ],
  [
    {
      ...terms,
      name: 'Frame loom',
      slug: 'frame-loom',
      description: 'Beech, 40 by 60 cm',
      category: 'tools',
      price: 64,
    },
    [{ name: '', sku: 'LOOM-40', stock: 80, low_stock: 5 }],
  ],
  [
    {
      ...terms,
      name: 'Yarn bowl',
      slug: 'yarn-bowl',
      description: 'Stoneware',
      category: 'tools',
      price: 32.5,
    },
    [
      { name: 'White', sku: 'BOWL-W', stock: 90 },
      { name: 'Blue', sku: 'BOWL-B', price: 34, stock: 70 },
    ],
  ],
  [
    {
      ...terms,
      name: 'Winter socks, a pattern',
      slug: 'winter-socks',
      category: 'patterns',
      price: 5.5,
      tax_percent: 7,
      grants: { features: ['patterns'] },
    },
    [{ name: 'PDF', sku: 'PAT-SOCKS' }],
  ],
  [
    {
      ...terms,
      name: 'Month of downloads',
      slug: 'month-of-downloads',
      category: 'passes',
      price: 9,
      grants: { features: ['downloads'], days: 30 },
    },
    [],
  ],
  [
    {
      ...terms,
      name: 'Gift box',
      slug: 'gift-box',
      description: 'Not sold any more',
      category: 'sets',
      price: 49,
      is_active: false,
    },
    [{ name: '', sku: 'GIFT', stock: 4 }],
  ],
]

/** What can be bought: public ids. */
type Bought = readonly { readonly product_id: string; readonly variant_id?: string }[]

async function stockShop(ctx: Context): Promise<Bought> {
  const bought = []
  for (const [input, variants] of PRODUCTS) {
    const { id: product_id } = await createProduct(ctx, input)
    const made = []
    for (const variant of variants) {
      const { id: variant_id } = await createVariant(ctx, parseId(productId, product_id) ?? '', variant)
      if (variant.stock !== 0) made.push({ product_id, variant_id })
    }
    if (input.is_active !== false) bought.push(...(variants.length === 0 ? [{ product_id }] : made))
  }
  return bought
}

async function offerDiscounts({ ctx, ago }: Scene): Promise<void> {
  const day = (days: number) => new Date(ago(days)).toISOString()
  await createDiscount(ctx, { code: 'WELCOME10', percent: 10, max_uses_per_member: 1 })
  await createDiscount(ctx, { code: 'FIVEOFF', amount: 5, currency: 'eur' })
  await createDiscount(ctx, { code: 'AUTUMN', percent: 20, starts_at: day(80), ends_at: day(50) })
  await createDiscount(ctx, { code: 'SPRING', percent: 15, starts_at: day(-30) })
  const { id } = await createDiscount(ctx, { code: 'FRIENDS', percent: 50, max_uses: 100 })
  await updateDiscount(ctx, parseId(discountId, id) ?? '', { is_active: false })
}

/** What becomes of an order, by what comes next. */
interface Way {
  /** How many go this way, of 150. */
  readonly count: number
  /** How many days ago it is made, at the most and at the least. */
  readonly made: readonly [number, number]
  /** Hours after it was made. */
  readonly goes: (order: Going) => void
}

interface Going {
  readonly scene: Scene
  readonly person: Person
  readonly id: string
  readonly after: (hours: number, act: (ctx: Context) => unknown) => void
}

const pay = ({ scene, id, after }: Going, hours = 3) =>
  after(hours, (ctx) => markPaid(ctx, scene.place.catalogue.paymentHandlers, id))
const send = ({ id, after }: Going, hours = 30) =>
  after(hours, (ctx) => fulfillOrder(ctx, id, { tracking_number: `GH${id.slice(-8).toUpperCase()}` }))
const finish = ({ id, after }: Going, hours = 120) => after(hours, (ctx) => completeOrder(ctx, id))

const refund = ({ scene, id, after }: Going, hours: number, input: Parameters<typeof refundOrder>[2]) =>
  after(hours, (ctx) => refundOrder(ctx, id, input, scene.place.catalogue.paymentHandlers))

const WAYS: readonly Way[] = [
  { count: 12, made: [5, 0.1], goes: () => undefined },
  { count: 24, made: [9, 0.5], goes: (order) => pay(order) },
  {
    ...{ count: 26, made: [30, 4] },
    goes: (order) => {
      pay(order)
      send(order)
    },
  },
  {
    ...{ count: 46, made: [89, 8] },
    goes: (order) => {
      pay(order, 20)
      send(order, 40)
      finish(order)
    },
  },
  {
    ...{ count: 8, made: [80, 3] },
    goes: ({ id, person, after }) =>
      after(5, async (ctx) =>
        cancelOrder(as(ctx, person.id), await lockOrder(ctx, { id }), 'by_customer', 'Changed my mind'),
      ),
  },
  {
    ...{ count: 7, made: [75, 3] },
    goes: ({ id, after }) =>
      after(9, async (ctx) =>
        cancelOrder(ctx, await lockOrder(ctx, { id }), 'by_operator', 'The address does not exist'),
      ),
  },
  // Nobody pays: the reservation runs out after a week.
  { count: 8, made: [80, 9], goes: () => undefined },
  {
    ...{ count: 8, made: [70, 6] },
    goes: (order) => {
      pay(order)
      send(order)
      refund(order, 100, { reason: 'Broken on arrival', restock: false })
    },
  },
  {
    ...{ count: 7, made: [70, 6] },
    goes: (order) => {
      pay(order)
      refund(order, 60, { amount: 0.5, reason: 'Arrived late' })
    },
  },
  {
    ...{ count: 4, made: [60, 10] },
    goes: (order) => {
      pay(order)
      send(order)
      order.after(150, async (ctx) => {
        const { lines } = await getOrder(ctx, { id: order.id })
        const named = { id: toId(orderLineId, lines[0]?.id ?? ''), quantity: 1 }
        const input = { lines: [named], restock: true, reason: 'One came back' }
        await refundOrder(ctx, order.id, input, order.scene.place.catalogue.paymentHandlers)
      })
    },
  },
  {
    ...{ count: 2, made: [50, 12] },
    goes: (order) => {
      pay(order)
      refund(order, 70, { amount: 0.5, reason: 'A thread was missing' })
      bounceRefund(order, 160)
    },
  },
]

const refundOf = defineQuery('demo_order_refund', (v: { id: string }) =>
  query.selectFrom('order_refunds').select('payment_refund_id').where('order_id', '=', v.id).limit(1),
).first()

/**
 * The history of an order is read by its ids, which begin with the time at which a row was made, and not with the day that the demo gives
 * it: a member's timeline would show it among what happened today.
 */
const putHistoryInItsTime = defineQuery(
  'demo_order_history',
  () => sql`
    update order_history h set id =
      (lpad(to_hex((extract(epoch from made.at) * 1000)::bigint), 12, '0') || right(replace(h.id::text, '-', ''), 20))::uuid
    from (select id, created_at + row_number() over (partition by order_id, created_at order by id) * interval '1 ms' as at
      from order_history) made
    where made.id = h.id`,
)

/** The bank sends the money of a refund back: the order has it again. */
const bounceRefund = ({ id, scene, after }: Going, hours: number) =>
  after(hours, async (ctx) => {
    const refund = (await refundOf(ctx, { id }))?.payment_refund_id
    if (typeof refund === 'string')
      await recordRefund(ctx, scene.place.catalogue.paymentHandlers, refund, {
        reference: '',
        status: 'failed',
      })
  })

const STREETS = ['Lindenweg 4', '12 rue des Tisserands', '88 Canal Street', 'Οδός Ερμού 21', 'ул. Садовая 3']

/** A shop with 150 orders in every state, with stock and discounts. */
export const shop: Part = {
  name: 'shop',
  due: ['entitlements.turn-grants', 'shop.expire-reservations'],
  begin: async () => async (scene) => {
    const { ctx, agenda, dice } = scene
    const people = await readPeople(ctx)
    agenda.at(scene.ago(90), async () => {
      const goods = await stockShop(ctx)
      await offerDiscounts(scene)
      for (const way of WAYS) {
        const [most, least] = way.made
        const count = scene.many(way.count)
        for (let n = 0; n < count; n++) {
          const at = scene.ago(most - ((most - least) * (n + 0.5)) / count) - dice.upTo(60) * 60_000
          agenda.at(at, () => order(scene, { way, at, people, goods }))
        }
      }
      // Some have something in their carts.
      for (const { id } of people.slice(0, scene.many(6)))
        agenda.at(scene.ago(0.3), () =>
          addToCart(as(ctx, id), actingAs(id), { ...dice.one(goods), quantity: 1 }),
        )
    })
    await agenda.run()
    putHistoryInItsTime(ctx, {})
  },
}

interface Ordering {
  readonly way: Way
  readonly at: number
  readonly people: readonly Person[]
  readonly goods: Bought
}

async function order(scene: Scene, { way, at, people, goods }: Ordering): Promise<void> {
  const { ctx, agenda, dice } = scene
  const person = dice.one(people.filter(({ created_at }) => Date.parse(created_at) < at))
  if (person === undefined) return
  const [byMember, who] = [as(ctx, person.id), actingAs(person.id)]
  const first = dice.upTo(goods.length)
  for (let n = 0; n <= dice.upTo(3); n++) {
    const item = goods[(first + n) % goods.length]
    if (item !== undefined) await addToCart(byMember, who, { ...item, quantity: 1 + dice.upTo(2) })
  }
  if (dice.chance(0.15)) await applyDiscount(byMember, who, 'FIVEOFF')
  const { order: made } = await checkOut(byMember, who, {
    addresses: {
      shipping: {
        name: person.full_name,
        line1: dice.one(STREETS),
        city: 'Berlin',
        postal_code: '10115',
        country: 'DE',
      },
    },
    ...(dice.chance(0.2) && { note: 'Please ring twice' }),
  })
  const id = parseId(orderId, made.id) ?? ''
  const after: Going['after'] = (hours, act) => agenda.at(at + hours * HOUR_MS, () => act(ctx))
  way.goes({ scene, person, id, after })
}
