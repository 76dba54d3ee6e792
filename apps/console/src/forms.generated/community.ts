// Made by `node infra/sdk/main.ts` of the API's document: do not edit it. `npm run check` compares it.
import type { FormOperation } from '../data/form-fields.ts'

export const communityImportsCreate: FormOperation = {
  name: "community.imports.create",
  summary: "Import a community",
  fields: [
    {"name":"upload_id","type":"text","required":true},
    {"name":"dry_run","type":"boolean","default":false},
  ],
}
