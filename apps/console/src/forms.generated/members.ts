// Made by `node infra/sdk/main.ts` of the API's document: do not edit it. `npm run check` compares it.
import type { FormOperation } from '../data/form-fields.ts'

export const membersCreditCreate: FormOperation = {
  name: "members.credit.create",
  summary: "Give a member credit, or take some",
  ids: 1,
  fields: [
    {"name":"amount","type":"number","min":-99999999,"max":99999999,"about":"An amount above zero gives credit; an amount below zero takes credit, at most the balance of the member","required":true},
    {"name":"currency","type":"text","about":"A currency: an ISO 4217 code in lower case","required":true},
    {"name":"reason","type":"text","min":1,"max":500,"about":"Why an operator gave or took the credit","required":true},
  ],
}

export const membersCreate: FormOperation = {
  name: "members.create",
  summary: "Create a member",
  fields: [
    {"name":"email","type":"text","format":"email","max":320,"about":"The email address","required":true},
    {"name":"password","type":"text","format":"password","min":10,"max":128,"about":"Without a password, the member cannot log in by password"},
    {"name":"role","type":"text","default":"member","about":"`member`, `admin` or a role that you define"},
    {"name":"full_name","type":"text","max":200,"about":"The full name"},
    {"name":"avatar_url","type":"text","format":"uri","max":2048,"about":"The address of the picture"},
    {"name":"plan_id","type":"text","about":"Default: the default plan of the project"},
    {"name":"status","type":"text","words":["active","inactive","pending"],"default":"active","about":"The status"},
    {"name":"metadata","type":"value","about":"Free-form data: at most 50 keys, 16 KiB and 5 levels"},
    {"name":"send_invitation","type":"boolean","default":false,"about":"True sends a mail with a link"},
  ],
}

export const membersChangeInBulk: FormOperation = {
  name: "members.changeInBulk",
  summary: "Change, delete or invite many members",
  fields: [
    {"name":"operations","type":"list","item":{"name":"","type":"object","fields":[{"name":"action","type":"text","words":["update","delete","invite"],"about":"`invite` sends a member who has never logged in and has no password the mail of the invitation again, with a new link, or a first one","required":true},{"name":"id","type":"text","about":"The id of a member","required":true},{"name":"changes","type":"object","fields":[{"name":"email","type":"text","format":"email","max":320,"about":"The email address"},{"name":"full_name","type":"text","max":200,"nullable":true,"about":"Null or an empty string removes the value"},{"name":"avatar_url","type":"text","format":"uri","max":2048,"nullable":true,"about":"Null removes the picture"},{"name":"plan_id","type":"text","nullable":true,"about":"The plan that the operator sets"},{"name":"role","type":"text","about":"`member`, `admin` or a role that you define"},{"name":"status","type":"text","words":["active","inactive","pending"],"about":"The status"},{"name":"metadata","type":"value","about":"These keys are added or replaced; a key set to null is removed; other keys are kept"}],"about":"The fields that change, with their new values"},{"name":"mode","type":"text","words":["soft","anonymize"],"about":"Only for the action `delete`"}],"about":"`update` needs `changes`; `delete` can have `mode`"},"min":1,"max":1000,"about":"The operations, in their order","required":true},
  ],
}

export const membersUpdate: FormOperation = {
  name: "members.update",
  summary: "Change a member",
  takesIfMatch: true,
  ids: 1,
  fields: [
    {"name":"email","type":"text","format":"email","max":320,"about":"The email address"},
    {"name":"full_name","type":"text","max":200,"nullable":true,"about":"Null or an empty string removes the value"},
    {"name":"avatar_url","type":"text","format":"uri","max":2048,"nullable":true,"about":"Null removes the picture"},
    {"name":"plan_id","type":"text","nullable":true,"about":"The plan that the operator sets"},
    {"name":"role","type":"text","about":"`member`, `admin` or a role that you define"},
    {"name":"status","type":"text","words":["active","inactive","pending"],"about":"The status"},
    {"name":"metadata","type":"value","about":"These keys are added or replaced; a key set to null is removed; other keys are kept"},
  ],
}

export const membersSuspend: FormOperation = {
  name: "members.suspend",
  summary: "Suspend a member",
  ids: 1,
  fields: [
    {"name":"reason","type":"text","min":1,"max":500,"about":"Why, in words for the member","required":true},
    {"name":"until","type":"text","format":"date-time","about":"When it ends by itself; without it, a moderator ends it"},
  ],
}
