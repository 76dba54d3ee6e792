// Made by `node infra/sdk/main.ts` of the API's document: do not edit it. `npm run check` compares it.
import type { FormOperation } from '../data/form-fields.ts'

export const exportsCreate: FormOperation = {
  name: "exports.create",
  summary: "Export a list",
  fields: [
    {"name":"of","type":"text","words":["orders","bills","subscriptions","feedback","analytics"],"required":true},
    {"name":"filters","type":"object","fields":[{"name":"status","type":"text","min":1,"max":200},{"name":"member_id","type":"text"},{"name":"search","type":"text","min":1,"max":200},{"name":"start_date","type":"text","min":1,"max":200},{"name":"end_date","type":"text","min":1,"max":200},{"name":"subscription_id","type":"text"},{"name":"plan_id","type":"text"},{"name":"type","type":"text","min":1,"max":200},{"name":"visibility","type":"text","words":["public","private"]},{"name":"user_id","type":"text","min":1,"max":200},{"name":"event","type":"text","min":1,"max":120},{"name":"path","type":"text","min":1,"max":1000},{"name":"bots","type":"text","words":["exclude","include","only"]}]},
    {"name":"bom","type":"boolean","default":false},
    {"name":"raw","type":"boolean","default":false},
  ],
}
