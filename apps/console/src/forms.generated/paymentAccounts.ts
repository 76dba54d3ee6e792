// Made by `node infra/sdk/main.ts` of the API's document: do not edit it. `npm run check` compares it.
import type { FormOperation } from '../data/form-fields.ts'

export const paymentAccountsCreate: FormOperation = {
  name: "paymentAccounts.create",
  summary: "Add a payment account",
  fields: [
    {"name":"provider","type":"text","words":["manual","stripe"],"about":"`manual`: money is taken by hand","required":true},
    {"name":"name","type":"text","min":1,"max":120,"about":"The name","required":true},
    {"name":"is_default","type":"boolean","about":"True replaces the present default account"},
    {"name":"settings","type":"object","fields":[{"name":"instructions","type":"text","min":1,"max":2000,"about":"With `manual`: the instructions to pay"},{"name":"reserve_hours","type":"integer","min":1,"max":8760,"about":"With `manual`: how many hours the stock of an unpaid order is reserved"}],"about":"Free-form data"},
    {"name":"secrets","type":"object","fields":[{"name":"secret_key","type":"text","min":8,"max":300,"about":"The secret key of Stripe (`sk_…`), or a restricted one (`rk_…`)","required":true},{"name":"webhook_secret","type":"text","min":8,"max":300,"about":"The signing secret (`whsec_…`) of the webhook endpoint that you add at Stripe for `webhook_url`"}],"about":"The secrets of the account; stored encrypted and never shown"},
    {"name":"publishable_key","type":"text","min":8,"max":300,"about":"The publishable key of Stripe (`pk_…`)"},
  ],
}

export const paymentAccountsUpdate: FormOperation = {
  name: "paymentAccounts.update",
  summary: "Change a payment account",
  takesIfMatch: true,
  ids: 1,
  fields: [
    {"name":"name","type":"text","min":1,"max":120,"about":"The name"},
    {"name":"is_default","type":"boolean","about":"Whether it is used where none is named"},
    {"name":"settings","type":"object","fields":[{"name":"instructions","type":"text","min":1,"max":2000,"about":"With `manual`: the instructions to pay"},{"name":"reserve_hours","type":"integer","min":1,"max":8760,"about":"With `manual`: how many hours the stock of an unpaid order is reserved"}],"about":"Free-form data"},
    {"name":"secrets","type":"object","fields":[{"name":"secret_key","type":"text","min":8,"max":300,"about":"The secret key of Stripe (`sk_…`), or a restricted one (`rk_…`)"},{"name":"webhook_secret","type":"text","min":8,"max":300,"about":"The signing secret (`whsec_…`) of the webhook endpoint that you add at Stripe for `webhook_url`"}],"about":"The secrets of the account; stored encrypted and never shown"},
    {"name":"publishable_key","type":"text","min":8,"max":300,"nullable":true,"about":"The publishable key of Stripe (`pk_…`)"},
  ],
}
