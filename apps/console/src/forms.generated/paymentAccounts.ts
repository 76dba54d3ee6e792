// Made by `node infra/sdk/main.ts` of the API's document: do not edit it. `npm run check` compares it.
import type { FormOperation } from '../data/form-fields.ts'

export const paymentAccountsCreate: FormOperation = {
  name: "paymentAccounts.create",
  summary: "Add a payment account",
  fields: [
    {"name":"provider","type":"text","words":["manual","stripe"],"required":true},
    {"name":"name","type":"text","min":1,"max":120,"required":true},
    {"name":"is_default","type":"boolean"},
    {"name":"settings","type":"object","fields":[{"name":"instructions","type":"text","min":1,"max":2000},{"name":"reserve_hours","type":"integer","min":1,"max":8760}]},
    {"name":"secrets","type":"object","fields":[{"name":"secret_key","type":"text","min":8,"max":300,"required":true},{"name":"webhook_secret","type":"text","min":8,"max":300}]},
    {"name":"publishable_key","type":"text","min":8,"max":300},
  ],
}

export const paymentAccountsUpdate: FormOperation = {
  name: "paymentAccounts.update",
  summary: "Change a payment account",
  takesIfMatch: true,
  ids: 1,
  fields: [
    {"name":"name","type":"text","min":1,"max":120},
    {"name":"is_default","type":"boolean"},
    {"name":"settings","type":"object","fields":[{"name":"instructions","type":"text","min":1,"max":2000},{"name":"reserve_hours","type":"integer","min":1,"max":8760}]},
    {"name":"secrets","type":"object","fields":[{"name":"secret_key","type":"text","min":8,"max":300},{"name":"webhook_secret","type":"text","min":8,"max":300}]},
    {"name":"publishable_key","type":"text","min":8,"max":300,"nullable":true},
  ],
}
