// Made by `node infra/sdk/main.ts` of the API's document: do not edit it. `npm run check` compares it.
import type { FormOperation } from '../data/form-fields.ts'

export const reportsCreate: FormOperation = {
  name: "reports.create",
  summary: "Report a discussion, an item of feedback or a comment",
  fields: [
    {"name":"target_id","type":"text","required":true},
    {"name":"reason","type":"text","min":1,"max":200,"required":true},
    {"name":"note","type":"text","max":2000},
    {"name":"member_id","type":"text"},
  ],
}
