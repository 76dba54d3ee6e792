// Made by `node infra/sdk/main.ts` of the API's document: do not edit it. `npm run check` compares it.
import type { FormOperation } from '../data/form-fields.ts'

export const subscriptionsCreate: FormOperation = {
  name: "subscriptions.create",
  summary: "Subscribe a member to a plan",
  fields: [
    {"name":"member_id","type":"text"},
    {"name":"plan_id","type":"text","required":true},
    {"name":"trial","type":"boolean"},
    {"name":"payment_account_id","type":"text"},
  ],
}

export const subscriptionsPreviewChange: FormOperation = {
  name: "subscriptions.previewChange",
  summary: "Preview a change of plan",
  ids: 1,
  fields: [
    {"name":"plan_id","type":"text","required":true},
    {"name":"when","type":"text","words":["now","period_end"]},
  ],
}

export const subscriptionsChange: FormOperation = {
  name: "subscriptions.change",
  summary: "Change the plan of a subscription",
  ids: 1,
  fields: [
    {"name":"plan_id","type":"text","required":true},
    {"name":"when","type":"text","words":["now","period_end"]},
    {"name":"preview_id","type":"text"},
  ],
}

export const subscriptionsCancel: FormOperation = {
  name: "subscriptions.cancel",
  summary: "End a subscription",
  ids: 1,
  fields: [
    {"name":"at","type":"text","words":["now","period_end"],"required":true},
  ],
}

export const subscriptionsPause: FormOperation = {
  name: "subscriptions.pause",
  summary: "Pause a subscription",
  ids: 1,
  fields: [
    {"name":"resume_at","type":"text","format":"date-time"},
  ],
}
