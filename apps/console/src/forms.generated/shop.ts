// Made by `node infra/sdk/main.ts` of the API's document: do not edit it. `npm run check` compares it.
import type { FormOperation } from '../data/form-fields.ts'

export const shopProductsCreate: FormOperation = {
  name: "shop.products.create",
  summary: "Create a product",
  fields: [
    {"name":"name","type":"text","min":1,"max":200,"required":true},
    {"name":"price","type":"number","min":0,"max":99999999,"required":true},
    {"name":"slug","type":"text","max":80},
    {"name":"description","type":"text","max":10000},
    {"name":"category","type":"text","max":80},
    {"name":"currency","type":"text"},
    {"name":"tax_percent","type":"number","min":0,"max":100,"nullable":true},
    {"name":"images","type":"list","item":{"name":"","type":"text"},"max":20},
    {"name":"grants","type":"object","fields":[{"name":"plan_id","type":"text"},{"name":"features","type":"list","item":{"name":"","type":"text","min":1,"max":80},"max":20},{"name":"course_id","type":"text"},{"name":"days","type":"integer","min":1,"max":36500}],"nullable":true},
    {"name":"reserve_hours","type":"integer","min":1,"max":8760,"nullable":true},
    {"name":"is_active","type":"boolean"},
  ],
}

export const shopProductsUpdate: FormOperation = {
  name: "shop.products.update",
  summary: "Change a product",
  takesIfMatch: true,
  ids: 1,
  fields: [
    {"name":"name","type":"text","min":1,"max":200},
    {"name":"price","type":"number","min":0,"max":99999999},
    {"name":"slug","type":"text","max":80},
    {"name":"description","type":"text","max":10000,"nullable":true},
    {"name":"category","type":"text","max":80,"nullable":true},
    {"name":"currency","type":"text"},
    {"name":"tax_percent","type":"number","min":0,"max":100,"nullable":true},
    {"name":"images","type":"list","item":{"name":"","type":"text"},"max":20},
    {"name":"grants","type":"object","fields":[{"name":"plan_id","type":"text"},{"name":"features","type":"list","item":{"name":"","type":"text","min":1,"max":80},"max":20},{"name":"course_id","type":"text"},{"name":"days","type":"integer","min":1,"max":36500}],"nullable":true},
    {"name":"reserve_hours","type":"integer","min":1,"max":8760,"nullable":true},
    {"name":"is_active","type":"boolean"},
  ],
}

export const shopVariantsCreate: FormOperation = {
  name: "shop.variants.create",
  summary: "Add a variant to a product",
  ids: 1,
  fields: [
    {"name":"name","type":"text","max":200},
    {"name":"sku","type":"text","min":1,"max":80,"nullable":true},
    {"name":"options","type":"map"},
    {"name":"price","type":"number","min":0,"max":99999999,"nullable":true},
    {"name":"is_active","type":"boolean"},
    {"name":"low_stock","type":"integer","min":0,"max":1000000000},
    {"name":"stock","type":"integer","min":0,"max":1000000000,"nullable":true},
  ],
}

export const shopVariantsUpdate: FormOperation = {
  name: "shop.variants.update",
  summary: "Change a variant",
  takesIfMatch: true,
  ids: 1,
  fields: [
    {"name":"name","type":"text","max":200,"nullable":true},
    {"name":"sku","type":"text","min":1,"max":80,"nullable":true},
    {"name":"options","type":"map"},
    {"name":"price","type":"number","min":0,"max":99999999,"nullable":true},
    {"name":"is_active","type":"boolean"},
    {"name":"low_stock","type":"integer","min":0,"max":1000000000},
  ],
}

export const shopVariantsStockCreate: FormOperation = {
  name: "shop.variants.stock.create",
  summary: "Change the stock of a variant",
  ids: 1,
  fields: [
    {"name":"delta","type":"integer","min":-1000000000,"max":1000000000,"required":true},
    {"name":"reason","type":"text","min":1,"max":200,"required":true},
  ],
}

export const shopDiscountsCreate: FormOperation = {
  name: "shop.discounts.create",
  summary: "Create a discount",
  fields: [
    {"name":"code","type":"text","max":40,"required":true},
    {"name":"percent","type":"number","min":0,"max":100,"nullable":true},
    {"name":"amount","type":"number","min":0,"max":99999999,"nullable":true},
    {"name":"currency","type":"text","nullable":true},
    {"name":"starts_at","type":"text","format":"date-time","nullable":true},
    {"name":"ends_at","type":"text","format":"date-time","nullable":true},
    {"name":"max_uses","type":"integer","min":1,"max":1000000000,"nullable":true},
    {"name":"max_uses_per_member","type":"integer","min":1,"max":1000000000,"nullable":true},
    {"name":"product_ids","type":"list","item":{"name":"","type":"text"},"max":100},
    {"name":"is_active","type":"boolean"},
  ],
}

export const shopDiscountsUpdate: FormOperation = {
  name: "shop.discounts.update",
  summary: "Change a discount",
  takesIfMatch: true,
  ids: 1,
  fields: [
    {"name":"code","type":"text","max":40},
    {"name":"percent","type":"number","min":0,"max":100,"nullable":true},
    {"name":"amount","type":"number","min":0,"max":99999999,"nullable":true},
    {"name":"currency","type":"text","nullable":true},
    {"name":"starts_at","type":"text","format":"date-time","nullable":true},
    {"name":"ends_at","type":"text","format":"date-time","nullable":true},
    {"name":"max_uses","type":"integer","min":1,"max":1000000000,"nullable":true},
    {"name":"max_uses_per_member","type":"integer","min":1,"max":1000000000,"nullable":true},
    {"name":"product_ids","type":"list","item":{"name":"","type":"text"},"max":100},
    {"name":"is_active","type":"boolean"},
  ],
}

export const shopCartItemsCreate: FormOperation = {
  name: "shop.cart.items.create",
  summary: "Add a product to the cart",
  fields: [
    {"name":"product_id","type":"text","required":true},
    {"name":"quantity","type":"integer","min":1,"max":10000,"default":1},
    {"name":"variant_id","type":"text"},
    {"name":"member_id","type":"text"},
  ],
}

export const shopCartItemsUpdate: FormOperation = {
  name: "shop.cart.items.update",
  summary: "Change the quantity of a cart item",
  ids: 1,
  fields: [
    {"name":"quantity","type":"integer","min":1,"max":10000,"required":true},
    {"name":"member_id","type":"text"},
  ],
}

export const shopCartDiscountApply: FormOperation = {
  name: "shop.cart.discount.apply",
  summary: "Apply a discount to the cart",
  fields: [
    {"name":"code","type":"text","min":1,"max":40,"required":true},
    {"name":"member_id","type":"text"},
  ],
}

export const shopCheckout: FormOperation = {
  name: "shop.checkout",
  summary: "Create an order from the cart",
  fields: [
    {"name":"addresses","type":"object","fields":[{"name":"shipping","type":"object","fields":[{"name":"name","type":"text","max":200},{"name":"company","type":"text","max":200},{"name":"line1","type":"text","max":200},{"name":"line2","type":"text","max":200},{"name":"postal_code","type":"text","max":20},{"name":"city","type":"text","max":100},{"name":"region","type":"text","max":100},{"name":"country","type":"text"},{"name":"phone","type":"text","max":40}]},{"name":"billing","type":"object","fields":[{"name":"name","type":"text","max":200},{"name":"company","type":"text","max":200},{"name":"line1","type":"text","max":200},{"name":"line2","type":"text","max":200},{"name":"postal_code","type":"text","max":20},{"name":"city","type":"text","max":100},{"name":"region","type":"text","max":100},{"name":"country","type":"text"},{"name":"phone","type":"text","max":40}]}]},
    {"name":"note","type":"text","max":2000},
    {"name":"payment_account_id","type":"text"},
    {"name":"save_payment_method","type":"boolean"},
    {"name":"member_id","type":"text"},
  ],
}

export const shopOrdersPay: FormOperation = {
  name: "shop.orders.pay",
  summary: "Start or resume the payment of an order",
  ids: 1,
  fields: [
    {"name":"member_id","type":"text"},
  ],
}

export const shopOrdersCancel: FormOperation = {
  name: "shop.orders.cancel",
  summary: "Cancel an order",
  ids: 1,
  fields: [
    {"name":"reason","type":"text","min":1,"max":500},
    {"name":"member_id","type":"text"},
  ],
}

export const shopOrdersFulfill: FormOperation = {
  name: "shop.orders.fulfill",
  summary: "Mark an order as sent or handed over",
  ids: 1,
  fields: [
    {"name":"tracking_number","type":"text","min":1,"max":100},
    {"name":"tracking_url","type":"text","max":2000},
  ],
}

export const shopOrdersRefund: FormOperation = {
  name: "shop.orders.refund",
  summary: "Refund an order",
  ids: 1,
  fields: [
    {"name":"amount","type":"number","min":0,"max":99999999},
    {"name":"lines","type":"list","item":{"name":"","type":"object","fields":[{"name":"id","type":"text","required":true},{"name":"quantity","type":"integer","min":1,"max":10000}]},"min":1,"max":100},
    {"name":"restock","type":"boolean"},
    {"name":"reason","type":"text","min":1,"max":500},
  ],
}
