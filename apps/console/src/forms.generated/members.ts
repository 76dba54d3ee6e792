// Made by `node infra/sdk/main.ts` of the API's document: do not edit it. `npm run check` compares it.
import type { FormOperation } from '../data/form-fields.ts'

export const membersCreditCreate: FormOperation = {
  name: "members.credit.create",
  summary: "Give a member credit, or take some",
  ids: 1,
  fields: [
    {"name":"amount","type":"number","min":-99999999,"max":99999999,"required":true},
    {"name":"currency","type":"text","required":true},
    {"name":"reason","type":"text","min":1,"max":500,"required":true},
  ],
}

export const membersCreate: FormOperation = {
  name: "members.create",
  summary: "Create a member",
  fields: [
    {"name":"email","type":"text","format":"email","max":320,"required":true},
    {"name":"password","type":"text","format":"password","min":10,"max":128},
    {"name":"role","type":"text","default":"member"},
    {"name":"full_name","type":"text","max":200},
    {"name":"avatar_url","type":"text","format":"uri","max":2048},
    {"name":"plan_id","type":"text"},
    {"name":"status","type":"text","words":["active","inactive","pending"],"default":"active"},
    {"name":"metadata","type":"value"},
    {"name":"send_invitation","type":"boolean","default":false},
  ],
}

export const membersChangeInBulk: FormOperation = {
  name: "members.changeInBulk",
  summary: "Change, delete or invite many members",
  fields: [
    {"name":"operations","type":"list","item":{"name":"","type":"object","fields":[{"name":"action","type":"text","words":["update","delete","invite"],"required":true},{"name":"id","type":"text","required":true},{"name":"changes","type":"object","fields":[{"name":"email","type":"text","format":"email","max":320},{"name":"full_name","type":"text","max":200,"nullable":true},{"name":"avatar_url","type":"text","format":"uri","max":2048,"nullable":true},{"name":"plan_id","type":"text","nullable":true},{"name":"role","type":"text"},{"name":"status","type":"text","words":["active","inactive","pending"]},{"name":"metadata","type":"value"}]},{"name":"mode","type":"text","words":["soft","anonymize"]}]},"min":1,"max":1000,"required":true},
  ],
}

export const membersUpdate: FormOperation = {
  name: "members.update",
  summary: "Change a member",
  takesIfMatch: true,
  ids: 1,
  fields: [
    {"name":"email","type":"text","format":"email","max":320},
    {"name":"full_name","type":"text","max":200,"nullable":true},
    {"name":"avatar_url","type":"text","format":"uri","max":2048,"nullable":true},
    {"name":"plan_id","type":"text","nullable":true},
    {"name":"role","type":"text"},
    {"name":"status","type":"text","words":["active","inactive","pending"]},
    {"name":"metadata","type":"value"},
  ],
}

export const membersSuspend: FormOperation = {
  name: "members.suspend",
  summary: "Suspend a member",
  ids: 1,
  fields: [
    {"name":"reason","type":"text","min":1,"max":500,"required":true},
    {"name":"until","type":"text","format":"date-time"},
  ],
}
