// Made by `node infra/sdk/main.ts` of the API's document: do not edit it. `npm run check` compares it.
import type { FormOperation } from '../data/form-fields.ts'

export const invitationsCreate: FormOperation = {
  name: "invitations.create",
  summary: "Invite somebody",
  fields: [
    {"name":"email","type":"text","format":"email","max":320,"about":"The email address","required":true},
    {"name":"role","type":"text","default":"member","about":"`member`, `admin` or a role that you define"},
    {"name":"full_name","type":"text","max":200,"about":"The full name"},
    {"name":"plan_id","type":"text","about":"The id of a plan"},
    {"name":"redirect_url","type":"text","max":2048,"about":"The page behind the link leads to this URL"},
    {"name":"expires_in_days","type":"integer","min":1,"max":30,"default":7,"about":"After how many days it expires"},
  ],
}
