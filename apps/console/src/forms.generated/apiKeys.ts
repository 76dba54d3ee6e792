// Made by `node infra/sdk/main.ts` of the API's document: do not edit it. `npm run check` compares it.
import type { FormOperation } from '../data/form-fields.ts'

export const apiKeysRotate: FormOperation = {
  name: "apiKeys.rotate",
  summary: "Replace a key with a new one",
  ids: 1,
  fields: [
    {"name":"grace_seconds","type":"integer","min":0,"max":604800,"default":0},
  ],
}
