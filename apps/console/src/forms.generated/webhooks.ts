// Made by `node infra/sdk/main.ts` of the API's document: do not edit it. `npm run check` compares it.
import type { FormOperation } from '../data/form-fields.ts'

export const webhooksCreate: FormOperation = {
  name: "webhooks.create",
  summary: "Create a webhook endpoint",
  fields: [
    {"name":"url","type":"text","min":1,"max":2048,"required":true},
    {"name":"events","type":"list","item":{"name":"","type":"text","max":100},"min":1,"max":100,"required":true},
    {"name":"description","type":"text","max":500},
    {"name":"enabled","type":"boolean","default":true},
    {"name":"payload","type":"text","words":["full","thin"]},
    {"name":"fifo","type":"boolean"},
    {"name":"rate_limit","type":"integer","min":1,"max":1000,"nullable":true},
    {"name":"headers","type":"map"},
    {"name":"signing","type":"text","words":["hmac","ed25519"]},
  ],
}

export const webhooksUpdate: FormOperation = {
  name: "webhooks.update",
  summary: "Change a webhook endpoint",
  takesIfMatch: true,
  ids: 1,
  fields: [
    {"name":"url","type":"text","min":1,"max":2048},
    {"name":"events","type":"list","item":{"name":"","type":"text","max":100},"min":1,"max":100},
    {"name":"description","type":"text","max":500,"nullable":true},
    {"name":"enabled","type":"boolean"},
    {"name":"payload","type":"text","words":["full","thin"]},
    {"name":"fifo","type":"boolean"},
    {"name":"rate_limit","type":"integer","min":1,"max":1000,"nullable":true},
    {"name":"headers","type":"map"},
  ],
}

export const webhooksRotateSecret: FormOperation = {
  name: "webhooks.rotateSecret",
  summary: "Replace the signing secret",
  ids: 1,
  fields: [
    {"name":"signing","type":"text","words":["hmac","ed25519"]},
  ],
}

export const webhooksEnable: FormOperation = {
  name: "webhooks.enable",
  summary: "Enable a webhook endpoint",
  ids: 1,
  fields: [
    {"name":"recover_since","type":"text","format":"date-time"},
  ],
}

export const webhooksRecover: FormOperation = {
  name: "webhooks.recover",
  summary: "Send missed events to an endpoint",
  ids: 1,
  fields: [
    {"name":"since","type":"text","format":"date-time","required":true},
    {"name":"until","type":"text","format":"date-time"},
  ],
}
