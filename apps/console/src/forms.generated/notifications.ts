// Made by `node infra/sdk/main.ts` of the API's document: do not edit it. `npm run check` compares it.
import type { FormOperation } from '../data/form-fields.ts'

export const notificationsCreate: FormOperation = {
  name: "notifications.create",
  summary: "Send a message to members",
  fields: [
    {"name":"text","type":"text","min":1,"max":500,"about":"The text that members read: one line of plain text","required":true},
    {"name":"url","type":"text","max":2000,"about":"The notification leads to this http or https address"},
    {"name":"member_ids","type":"list","item":{"name":"","type":"text","about":"The id of a member"},"min":1,"max":500,"about":"These members get the message"},
    {"name":"plan_id","type":"text","about":"Every active member with this plan gets the message"},
  ],
}

export const notificationsRead: FormOperation = {
  name: "notifications.read",
  summary: "Mark notifications as read",
  fields: [
    {"name":"ids","type":"list","item":{"name":"","type":"text","about":"The id of a notification"},"min":1,"max":100,"about":"These notifications"},
    {"name":"before","type":"text","format":"date-time","about":"All notifications up to this time"},
    {"name":"member_id","type":"text","about":"Instead of the header `X-User-ID`"},
  ],
}
