// Made by `node infra/sdk/main.ts` of the API's document: do not edit it. `npm run check` compares it.
import type { FormOperation } from '../data/form-fields.ts'

export const reportsCreate: FormOperation = {
  name: "reports.create",
  summary: "Report a discussion, an item of feedback or a comment",
  fields: [
    {"name":"target_id","type":"text","about":"The id of the discussion, item of feedback or comment","required":true},
    {"name":"reason","type":"text","min":1,"max":200,"about":"Why","required":true},
    {"name":"note","type":"text","max":2000,"about":"A note in the words of its author"},
    {"name":"member_id","type":"text","about":"Instead of the header `X-User-ID`"},
  ],
}
