// Made by `node infra/sdk/main.ts` of the API's document: do not edit it. `npm run check` compares it.
import type { FormOperation } from '../data/form-fields.ts'

export const webhooksCreate: FormOperation = {
  name: "webhooks.create",
  summary: "Create a webhook endpoint",
  fields: [
    {"name":"url","type":"text","min":1,"max":2048,"about":"An https URL with a public address, port 443, 80 or a port from 1024 on, and without credentials","required":true},
    {"name":"events","type":"list","item":{"name":"","type":"text","max":100},"min":1,"max":100,"about":"Types of events, groups like `form.*`, or `*` for all","required":true},
    {"name":"description","type":"text","max":500,"about":"A text of some sentences"},
    {"name":"enabled","type":"boolean","default":true,"about":"Whether it is in use"},
    {"name":"payload","type":"text","words":["full","thin"],"about":"The content of `data`: `full` is the object; `thin` is only its id and kind"},
    {"name":"fifo","type":"boolean","about":"True: deliveries are sent one at a time, in the order of events; a delivery that fails delays the later ones"},
    {"name":"rate_limit","type":"integer","min":1,"max":1000,"nullable":true,"about":"The largest number of deliveries per second"},
    {"name":"headers","type":"map","about":"Headers that are sent with every delivery and never shown"},
    {"name":"signing","type":"text","words":["hmac","ed25519"],"about":"`hmac`: signatures `v1` with a shared secret; `ed25519`: signatures `v1a`, verified with a public key"},
  ],
}

export const webhooksUpdate: FormOperation = {
  name: "webhooks.update",
  summary: "Change a webhook endpoint",
  takesIfMatch: true,
  ids: 1,
  fields: [
    {"name":"url","type":"text","min":1,"max":2048,"about":"An https URL with a public address, port 443, 80 or a port from 1024 on, and without credentials"},
    {"name":"events","type":"list","item":{"name":"","type":"text","max":100},"min":1,"max":100,"about":"Types of events, groups like `form.*`, or `*` for all"},
    {"name":"description","type":"text","max":500,"nullable":true,"about":"Null or an empty string removes the value"},
    {"name":"enabled","type":"boolean","about":"The same as /enable and /disable"},
    {"name":"payload","type":"text","words":["full","thin"],"about":"The content of `data`: `full` is the object; `thin` is only its id and kind"},
    {"name":"fifo","type":"boolean","about":"True: deliveries are sent one at a time, in the order of events; a delivery that fails delays the later ones"},
    {"name":"rate_limit","type":"integer","min":1,"max":1000,"nullable":true,"about":"The largest number of deliveries per second"},
    {"name":"headers","type":"map","about":"Headers that are sent with every delivery and never shown"},
  ],
}

export const webhooksRotateSecret: FormOperation = {
  name: "webhooks.rotateSecret",
  summary: "Replace the signing secret",
  ids: 1,
  fields: [
    {"name":"signing","type":"text","words":["hmac","ed25519"],"about":"Default: the present one"},
  ],
}

export const webhooksEnable: FormOperation = {
  name: "webhooks.enable",
  summary: "Enable a webhook endpoint",
  ids: 1,
  fields: [
    {"name":"recover_since","type":"text","format":"date-time","about":"Also delivers events from this time on that the endpoint missed: those that were never sent to it, and those whose delivery was given up or waits for a retry"},
  ],
}

export const webhooksRecover: FormOperation = {
  name: "webhooks.recover",
  summary: "Send missed events to an endpoint",
  ids: 1,
  fields: [
    {"name":"since","type":"text","format":"date-time","about":"At most 30 days ago","required":true},
    {"name":"until","type":"text","format":"date-time","about":"Default: now"},
  ],
}
