// Made by `node infra/sdk/main.ts` of the API's document: do not edit it. `npm run check` compares it.
import type { FormOperation } from '../data/form-fields.ts'

export const billsRefund: FormOperation = {
  name: "bills.refund",
  summary: "Refund a bill",
  ids: 1,
  fields: [
    {"name":"to","type":"text","words":["payment","credit"],"about":"`payment`: pay the money back; `credit`: keep it for the next bills of the member","required":true},
    {"name":"amount","type":"number","min":0,"max":99999999,"about":"The amount to refund"},
    {"name":"lines","type":"list","item":{"name":"","type":"object","fields":[{"name":"id","type":"text","about":"The id of a line of a bill","required":true},{"name":"amount","type":"number","min":0,"max":99999999,"about":"Default: everything that is left of the line"}]},"min":1,"max":20,"about":"The lines to refund"},
    {"name":"reason","type":"text","min":1,"max":500,"about":"Why"},
  ],
}
