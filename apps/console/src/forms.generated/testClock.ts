// Made by `node infra/sdk/main.ts` of the API's document: do not edit it. `npm run check` compares it.
import type { FormOperation } from '../data/form-fields.ts'

export const testClockAdvance: FormOperation = {
  name: "testClock.advance",
  summary: "Move the test clock forward",
  fields: [
    {"name":"to","type":"text","format":"date-time","required":true},
  ],
}
