import {
  makeCartItem,
  makeDiscount,
  makeOrder,
  makeOrderLine,
  makeProduct,
  makeVariant,
} from '#testkit/areas/money/shop.ts'
import type { Side } from '#testkit/factories.ts'

/** What the paths of the shop name. */
export const samples = {
  prod: (side: Side) => makeProduct(side),
  var: async (side: Side) => makeVariant(side, (await makeProduct(side)).id),
  item: makeCartItem,
  ord: makeOrder,
  dsct: (side: Side) => makeDiscount(side),
  line: makeOrderLine,
}
