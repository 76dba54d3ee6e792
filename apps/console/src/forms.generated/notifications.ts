// Made by `node infra/sdk/main.ts` of the API's document: do not edit it. `npm run check` compares it.
import type { FormOperation } from '../data/form-fields.ts'

export const notificationsCreate: FormOperation = {
  name: "notifications.create",
  summary: "Send a message to members",
  fields: [
    {"name":"text","type":"text","min":1,"max":500,"required":true},
    {"name":"url","type":"text","max":2000},
    {"name":"member_ids","type":"list","item":{"name":"","type":"text"},"min":1,"max":500},
    {"name":"plan_id","type":"text"},
  ],
}

export const notificationsRead: FormOperation = {
  name: "notifications.read",
  summary: "Mark notifications as read",
  fields: [
    {"name":"ids","type":"list","item":{"name":"","type":"text"},"min":1,"max":100},
    {"name":"before","type":"text","format":"date-time"},
    {"name":"member_id","type":"text"},
  ],
}
