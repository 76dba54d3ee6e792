// Made by `node infra/sdk/main.ts` of the API's document: do not edit it. `npm run check` compares it.
import type { FormOperation } from '../data/form-fields.ts'

export const exportsCreate: FormOperation = {
  name: "exports.create",
  summary: "Export a list",
  fields: [
    {"name":"of","type":"text","words":["orders","bills","subscriptions","feedback","analytics"],"about":"The list","required":true},
    {"name":"filters","type":"object","fields":[{"name":"status","type":"text","min":1,"max":200,"about":"The filter of the list, for orders, bills, subscriptions, feedback"},{"name":"member_id","type":"text","about":"The filter of the list, for orders, bills, subscriptions"},{"name":"search","type":"text","min":1,"max":200,"about":"The filter of the list, for orders, bills, subscriptions, feedback"},{"name":"start_date","type":"text","min":1,"max":200,"about":"The filter of the list, for orders, bills, subscriptions, feedback, analytics"},{"name":"end_date","type":"text","min":1,"max":200,"about":"The filter of the list, for orders, bills, subscriptions, feedback, analytics"},{"name":"subscription_id","type":"text","about":"The filter of the list, for bills"},{"name":"plan_id","type":"text","about":"The filter of the list, for subscriptions"},{"name":"type","type":"text","min":1,"max":200,"about":"The filter of the list, for feedback, analytics"},{"name":"visibility","type":"text","words":["public","private"],"about":"The filter of the list, for feedback"},{"name":"user_id","type":"text","min":1,"max":200,"about":"The filter of the list, for feedback, analytics"},{"name":"event","type":"text","min":1,"max":120,"about":"The filter of the list, for analytics"},{"name":"path","type":"text","min":1,"max":1000,"about":"The filter of the list, for analytics"},{"name":"bots","type":"text","words":["exclude","include","only"],"about":"The filter of the list, for analytics"}],"about":"The filters of the list, with the same meaning"},
    {"name":"bom","type":"boolean","default":false,"about":"True starts the CSV with a byte order mark, which some programs need to detect UTF-8"},
    {"name":"raw","type":"boolean","default":false,"about":"True leaves cells that look like formulas of spreadsheets as they are"},
  ],
}
