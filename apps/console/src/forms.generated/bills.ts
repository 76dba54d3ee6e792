// Made by `node infra/sdk/main.ts` of the API's document: do not edit it. `npm run check` compares it.
import type { FormOperation } from '../data/form-fields.ts'

export const billsRefund: FormOperation = {
  name: "bills.refund",
  summary: "Refund a bill",
  ids: 1,
  fields: [
    {"name":"to","type":"text","words":["payment","credit"],"required":true},
    {"name":"amount","type":"number","min":0,"max":99999999},
    {"name":"lines","type":"list","item":{"name":"","type":"object","fields":[{"name":"id","type":"text","required":true},{"name":"amount","type":"number","min":0,"max":99999999}]},"min":1,"max":20},
    {"name":"reason","type":"text","min":1,"max":500},
  ],
}
