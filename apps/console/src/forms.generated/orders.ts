// Made by `node infra/sdk/main.ts` of the API's document: do not edit it. `npm run check` compares it.
import type { FormOperation } from '../data/form-fields.ts'

export const ordersChangeInBulk: FormOperation = {
  name: "orders.changeInBulk",
  summary: "Fulfill, complete or cancel many orders",
  fields: [
    {"name":"operations","type":"list","item":{"name":"","type":"object","fields":[{"name":"id","type":"text","required":true},{"name":"action","type":"text","words":["fulfill","complete","cancel"],"required":true},{"name":"tracking_number","type":"text","min":1,"max":100},{"name":"tracking_url","type":"text","max":2000},{"name":"reason","type":"text","min":1,"max":500}]},"min":1,"max":100,"required":true},
  ],
}
