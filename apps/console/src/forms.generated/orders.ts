// Made by `node infra/sdk/main.ts` of the API's document: do not edit it. `npm run check` compares it.
import type { FormOperation } from '../data/form-fields.ts'

export const ordersChangeInBulk: FormOperation = {
  name: "orders.changeInBulk",
  summary: "Fulfill, complete or cancel many orders",
  fields: [
    {"name":"operations","type":"list","item":{"name":"","type":"object","fields":[{"name":"id","type":"text","about":"The id of an order","required":true},{"name":"action","type":"text","words":["fulfill","complete","cancel"],"about":"The act, which is done as by its own request","required":true},{"name":"tracking_number","type":"text","min":1,"max":100,"about":"The number of the parcel"},{"name":"tracking_url","type":"text","max":2000,"about":"The address of the page that follows the parcel"},{"name":"reason","type":"text","min":1,"max":500,"about":"Why"}],"about":"`fulfill` can have `tracking_number` and `tracking_url`; `cancel` can have `reason`"},"min":1,"max":100,"about":"The operations, in their order","required":true},
  ],
}
