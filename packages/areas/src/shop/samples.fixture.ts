import type { Side } from '#testkit/factories.ts'
import {
  makeCartItem,
  makeDiscount,
  makeOrder,
  makeOrderLine,
  makeProduct,
  makeVariant,
} from '#testkit/shop.ts'

/** What the paths of the shop name. */
export const samples = {
  prod: (side: Side) => makeProduct(side),
  var: async (side: Side) => makeVariant(side, (await makeProduct(side)).id),
  item: makeCartItem,
  ord: makeOrder,
  dsct: (side: Side) => makeDiscount(side),
  line: makeOrderLine,
}
