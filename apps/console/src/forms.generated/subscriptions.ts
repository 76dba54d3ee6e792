// Made by `node infra/sdk/main.ts` of the API's document: do not edit it. `npm run check` compares it.
import type { FormOperation } from '../data/form-fields.ts'

export const subscriptionsCreate: FormOperation = {
  name: "subscriptions.create",
  summary: "Subscribe a member to a plan",
  fields: [
    {"name":"member_id","type":"text","about":"The member who subscribes; not needed with a token"},
    {"name":"plan_id","type":"text","about":"The id of a plan","required":true},
    {"name":"trial","type":"boolean","about":"Default: true if the plan has a trial and the member has not used it"},
    {"name":"payment_account_id","type":"text","about":"Default: the default account of the project"},
  ],
}

export const subscriptionsPreviewChange: FormOperation = {
  name: "subscriptions.previewChange",
  summary: "Preview a change of plan",
  ids: 1,
  fields: [
    {"name":"plan_id","type":"text","about":"The id of a plan","required":true},
    {"name":"when","type":"text","words":["now","period_end"],"about":"Default: `now` for an upgrade (to a higher rank), `period_end` for everything else"},
  ],
}

export const subscriptionsChange: FormOperation = {
  name: "subscriptions.change",
  summary: "Change the plan of a subscription",
  ids: 1,
  fields: [
    {"name":"plan_id","type":"text","about":"The id of a plan","required":true},
    {"name":"when","type":"text","words":["now","period_end"],"about":"Default: `now` for an upgrade (to a higher rank), `period_end` for everything else"},
    {"name":"preview_id","type":"text","about":"The change charges exactly the amount of this preview"},
  ],
}

export const subscriptionsCancel: FormOperation = {
  name: "subscriptions.cancel",
  summary: "End a subscription",
  ids: 1,
  fields: [
    {"name":"at","type":"text","words":["now","period_end"],"about":"`now` gives no credit for the rest of the period, and settles open bills","required":true},
  ],
}

export const subscriptionsPause: FormOperation = {
  name: "subscriptions.pause",
  summary: "Pause a subscription",
  ids: 1,
  fields: [
    {"name":"resume_at","type":"text","format":"date-time","about":"When the subscription resumes by itself"},
  ],
}
