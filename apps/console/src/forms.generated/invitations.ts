// Made by `node infra/sdk/main.ts` of the API's document: do not edit it. `npm run check` compares it.
import type { FormOperation } from '../data/form-fields.ts'

export const invitationsCreate: FormOperation = {
  name: "invitations.create",
  summary: "Invite somebody",
  fields: [
    {"name":"email","type":"text","format":"email","max":320,"required":true},
    {"name":"role","type":"text","default":"member"},
    {"name":"full_name","type":"text","max":200},
    {"name":"plan_id","type":"text"},
    {"name":"redirect_url","type":"text","max":2048},
    {"name":"expires_in_days","type":"integer","min":1,"max":30,"default":7},
  ],
}
