// Made by `node infra/sdk/main.ts` of the API's document: do not edit it. `npm run check` compares it.
import type { FormOperation } from '../data/form-fields.ts'

export const shopProductsCreate: FormOperation = {
  name: "shop.products.create",
  summary: "Create a product",
  fields: [
    {"name":"name","type":"text","min":1,"max":200,"about":"The name","required":true},
    {"name":"price","type":"number","min":0,"max":99999999,"about":"The price of one unit in the currency, with at most as many decimals as the currency has; tax is included","required":true},
    {"name":"slug","type":"text","max":80,"about":"Lower-case words joined by hyphens; unique in the project"},
    {"name":"description","type":"text","max":10000,"about":"A text of some sentences"},
    {"name":"category","type":"text","max":80,"about":"The category"},
    {"name":"currency","type":"text","about":"A currency: an ISO 4217 code in lower case"},
    {"name":"tax_percent","type":"number","min":0,"max":100,"nullable":true,"about":"The tax in percent that the price includes"},
    {"name":"images","type":"list","item":{"name":"","type":"text"},"max":20,"about":"Ids of image files, in the order in which they are shown"},
    {"name":"grants","type":"object","fields":[{"name":"plan_id","type":"text","about":"The id of the plan"},{"name":"features","type":"list","item":{"name":"","type":"text","min":1,"max":80},"max":20,"about":"The features that come with it"},{"name":"course_id","type":"text","about":"The id of the course"},{"name":"days","type":"integer","min":1,"max":36500,"about":"The number of days that each unit lasts"}],"nullable":true,"about":"The buyer gets this for each line of an order"},
    {"name":"reserve_hours","type":"integer","min":1,"max":8760,"nullable":true,"about":"How many hours the stock of an unpaid order is reserved if money is taken by hand; null: the number of the payment account"},
    {"name":"is_active","type":"boolean","about":"True if customers can see and buy the product"},
  ],
}

export const shopProductsUpdate: FormOperation = {
  name: "shop.products.update",
  summary: "Change a product",
  takesIfMatch: true,
  ids: 1,
  fields: [
    {"name":"name","type":"text","min":1,"max":200,"about":"The name"},
    {"name":"price","type":"number","min":0,"max":99999999,"about":"The price of one unit in the currency, with at most as many decimals as the currency has; tax is included"},
    {"name":"slug","type":"text","max":80,"about":"Lower-case words joined by hyphens; unique in the project"},
    {"name":"description","type":"text","max":10000,"nullable":true,"about":"Null or an empty string removes the value"},
    {"name":"category","type":"text","max":80,"nullable":true,"about":"Null or an empty string removes the value"},
    {"name":"currency","type":"text","about":"A currency: an ISO 4217 code in lower case"},
    {"name":"tax_percent","type":"number","min":0,"max":100,"nullable":true,"about":"The tax in percent that the price includes"},
    {"name":"images","type":"list","item":{"name":"","type":"text"},"max":20,"about":"Ids of image files, in the order in which they are shown"},
    {"name":"grants","type":"object","fields":[{"name":"plan_id","type":"text","about":"The id of the plan"},{"name":"features","type":"list","item":{"name":"","type":"text","min":1,"max":80},"max":20,"about":"The features that come with it"},{"name":"course_id","type":"text","about":"The id of the course"},{"name":"days","type":"integer","min":1,"max":36500,"about":"The number of days that each unit lasts"}],"nullable":true,"about":"The buyer gets this for each line of an order"},
    {"name":"reserve_hours","type":"integer","min":1,"max":8760,"nullable":true,"about":"How many hours the stock of an unpaid order is reserved if money is taken by hand; null: the number of the payment account"},
    {"name":"is_active","type":"boolean","about":"True if customers can see and buy the product"},
  ],
}

export const shopVariantsCreate: FormOperation = {
  name: "shop.variants.create",
  summary: "Add a variant to a product",
  ids: 1,
  fields: [
    {"name":"name","type":"text","max":200,"about":"The name"},
    {"name":"sku","type":"text","min":1,"max":80,"nullable":true,"about":"Unique in the project"},
    {"name":"options","type":"map","about":"The attributes in which the variant differs from the others"},
    {"name":"price","type":"number","min":0,"max":99999999,"nullable":true,"about":"The price of the variant"},
    {"name":"is_active","type":"boolean","about":"Whether it is in use"},
    {"name":"low_stock","type":"integer","min":0,"max":1000000000,"about":"`stock.low` is sent when the number of units falls to this number"},
    {"name":"stock","type":"integer","min":0,"max":1000000000,"nullable":true,"about":"The number of units"},
  ],
}

export const shopVariantsUpdate: FormOperation = {
  name: "shop.variants.update",
  summary: "Change a variant",
  takesIfMatch: true,
  ids: 1,
  fields: [
    {"name":"name","type":"text","max":200,"nullable":true,"about":"Null or an empty string removes the value"},
    {"name":"sku","type":"text","min":1,"max":80,"nullable":true,"about":"Unique in the project"},
    {"name":"options","type":"map","about":"The attributes in which the variant differs from the others"},
    {"name":"price","type":"number","min":0,"max":99999999,"nullable":true,"about":"The price of the variant"},
    {"name":"is_active","type":"boolean","about":"Whether it is in use"},
    {"name":"low_stock","type":"integer","min":0,"max":1000000000,"about":"`stock.low` is sent when the number of units falls to this number"},
  ],
}

export const shopVariantsStockCreate: FormOperation = {
  name: "shop.variants.stock.create",
  summary: "Change the stock of a variant",
  ids: 1,
  fields: [
    {"name":"delta","type":"integer","min":-1000000000,"max":1000000000,"about":"The number of units that were added; negative for units that were removed","required":true},
    {"name":"reason","type":"text","min":1,"max":200,"about":"Why","required":true},
  ],
}

export const shopDiscountsCreate: FormOperation = {
  name: "shop.discounts.create",
  summary: "Create a discount",
  fields: [
    {"name":"code","type":"text","max":40,"about":"The code that customers enter; upper and lower case are the same","required":true},
    {"name":"percent","type":"number","min":0,"max":100,"nullable":true,"about":"The percentage of the price, rounded half up once"},
    {"name":"amount","type":"number","min":0,"max":99999999,"nullable":true,"about":"The amount in its currency; never more than the price of the products"},
    {"name":"currency","type":"text","nullable":true,"about":"A currency: an ISO 4217 code in lower case"},
    {"name":"starts_at","type":"text","format":"date-time","nullable":true,"about":"The discount is valid from this time on"},
    {"name":"ends_at","type":"text","format":"date-time","nullable":true,"about":"The discount is valid before this time"},
    {"name":"max_uses","type":"integer","min":1,"max":1000000000,"nullable":true,"about":"The largest number of uses by all members; null: no limit"},
    {"name":"max_uses_per_member","type":"integer","min":1,"max":1000000000,"nullable":true,"about":"The largest number of uses by one member; null: no limit"},
    {"name":"product_ids","type":"list","item":{"name":"","type":"text","about":"The id of a product"},"max":100,"about":"The products for which the discount counts; empty: all products"},
    {"name":"is_active","type":"boolean","about":"Whether it is in use"},
  ],
}

export const shopDiscountsUpdate: FormOperation = {
  name: "shop.discounts.update",
  summary: "Change a discount",
  takesIfMatch: true,
  ids: 1,
  fields: [
    {"name":"code","type":"text","max":40,"about":"The code that customers enter; upper and lower case are the same"},
    {"name":"percent","type":"number","min":0,"max":100,"nullable":true,"about":"The percentage of the price, rounded half up once"},
    {"name":"amount","type":"number","min":0,"max":99999999,"nullable":true,"about":"The amount in its currency; never more than the price of the products"},
    {"name":"currency","type":"text","nullable":true,"about":"A currency: an ISO 4217 code in lower case"},
    {"name":"starts_at","type":"text","format":"date-time","nullable":true,"about":"The discount is valid from this time on"},
    {"name":"ends_at","type":"text","format":"date-time","nullable":true,"about":"The discount is valid before this time"},
    {"name":"max_uses","type":"integer","min":1,"max":1000000000,"nullable":true,"about":"The largest number of uses by all members; null: no limit"},
    {"name":"max_uses_per_member","type":"integer","min":1,"max":1000000000,"nullable":true,"about":"The largest number of uses by one member; null: no limit"},
    {"name":"product_ids","type":"list","item":{"name":"","type":"text","about":"The id of a product"},"max":100,"about":"The products for which the discount counts; empty: all products"},
    {"name":"is_active","type":"boolean","about":"Whether it is in use"},
  ],
}

export const shopCartItemsCreate: FormOperation = {
  name: "shop.cart.items.create",
  summary: "Add a product to the cart",
  fields: [
    {"name":"product_id","type":"text","about":"The id of a product","required":true},
    {"name":"quantity","type":"integer","min":1,"max":10000,"default":1,"about":"Default: 1"},
    {"name":"variant_id","type":"text","about":"The id of a variant"},
    {"name":"member_id","type":"text","about":"Instead of the header `X-User-ID`"},
  ],
}

export const shopCartItemsUpdate: FormOperation = {
  name: "shop.cart.items.update",
  summary: "Change the quantity of a cart item",
  ids: 1,
  fields: [
    {"name":"quantity","type":"integer","min":1,"max":10000,"about":"How many","required":true},
    {"name":"member_id","type":"text","about":"Instead of the header `X-User-ID`"},
  ],
}

export const shopCartDiscountApply: FormOperation = {
  name: "shop.cart.discount.apply",
  summary: "Apply a discount to the cart",
  fields: [
    {"name":"code","type":"text","min":1,"max":40,"about":"The code","required":true},
    {"name":"member_id","type":"text","about":"Instead of the header `X-User-ID`"},
  ],
}

export const shopCheckout: FormOperation = {
  name: "shop.checkout",
  summary: "Create an order from the cart",
  fields: [
    {"name":"addresses","type":"object","fields":[{"name":"shipping","type":"object","fields":[{"name":"name","type":"text","max":200,"about":"The name"},{"name":"company","type":"text","max":200,"about":"The company"},{"name":"line1","type":"text","max":200,"about":"The street and the number"},{"name":"line2","type":"text","max":200,"about":"The rest of the street address"},{"name":"postal_code","type":"text","max":20,"about":"The postal code"},{"name":"city","type":"text","max":100,"about":"The city"},{"name":"region","type":"text","max":100,"about":"The state or the region"},{"name":"country","type":"text","about":"The country: an ISO 3166 code"},{"name":"phone","type":"text","max":40,"about":"The telephone number"}],"about":"The address of the delivery"},{"name":"billing","type":"object","fields":[{"name":"name","type":"text","max":200,"about":"The name"},{"name":"company","type":"text","max":200,"about":"The company"},{"name":"line1","type":"text","max":200,"about":"The street and the number"},{"name":"line2","type":"text","max":200,"about":"The rest of the street address"},{"name":"postal_code","type":"text","max":20,"about":"The postal code"},{"name":"city","type":"text","max":100,"about":"The city"},{"name":"region","type":"text","max":100,"about":"The state or the region"},{"name":"country","type":"text","about":"The country: an ISO 3166 code"},{"name":"phone","type":"text","max":40,"about":"The telephone number"}],"about":"The address of the bill"}],"about":"The addresses of delivery and of the bill"},
    {"name":"note","type":"text","max":2000,"about":"A note in the words of its author"},
    {"name":"payment_account_id","type":"text","about":"The account with which the order is paid"},
    {"name":"save_payment_method","type":"boolean","about":"Whether the provider saves the buyer's card for later purchases"},
    {"name":"member_id","type":"text","about":"Instead of the header `X-User-ID`"},
  ],
}

export const shopOrdersPay: FormOperation = {
  name: "shop.orders.pay",
  summary: "Start or resume the payment of an order",
  ids: 1,
  fields: [
    {"name":"member_id","type":"text","about":"Instead of the header `X-User-ID`"},
  ],
}

export const shopOrdersCancel: FormOperation = {
  name: "shop.orders.cancel",
  summary: "Cancel an order",
  ids: 1,
  fields: [
    {"name":"reason","type":"text","min":1,"max":500,"about":"Why"},
    {"name":"member_id","type":"text","about":"Instead of the header `X-User-ID`"},
  ],
}

export const shopOrdersFulfill: FormOperation = {
  name: "shop.orders.fulfill",
  summary: "Mark an order as sent or handed over",
  ids: 1,
  fields: [
    {"name":"tracking_number","type":"text","min":1,"max":100,"about":"The number of the parcel"},
    {"name":"tracking_url","type":"text","max":2000,"about":"The address of the page that follows the parcel"},
  ],
}

export const shopOrdersRefund: FormOperation = {
  name: "shop.orders.refund",
  summary: "Refund an order",
  ids: 1,
  fields: [
    {"name":"amount","type":"number","min":0,"max":99999999,"about":"The amount to refund"},
    {"name":"lines","type":"list","item":{"name":"","type":"object","fields":[{"name":"id","type":"text","about":"The id","required":true},{"name":"quantity","type":"integer","min":1,"max":10000,"about":"Default: everything that is left of the line"}]},"min":1,"max":100,"about":"The products that come back or were not delivered"},
    {"name":"restock","type":"boolean","about":"True if the refunded products can be sold again"},
    {"name":"reason","type":"text","min":1,"max":500,"about":"Why"},
  ],
}
