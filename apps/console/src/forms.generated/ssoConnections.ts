// Made by `node infra/sdk/main.ts` of the API's document: do not edit it. `npm run check` compares it.
import type { FormOperation } from '../data/form-fields.ts'

export const ssoConnectionsCreate: FormOperation = {
  name: "ssoConnections.create",
  summary: "Connect an OpenID or SAML provider",
  fields: [
    {"name":"type","type":"text","words":["oidc","saml"],"required":true},
    {"name":"name","type":"text","min":1,"max":120,"required":true},
    {"name":"enabled","type":"boolean","default":true},
    {"name":"domains","type":"list","item":{"name":"","type":"text","min":3,"max":253},"max":100},
    {"name":"required","type":"boolean","default":false},
    {"name":"issuer","type":"text","min":1,"max":1024},
    {"name":"client_id","type":"text","min":1,"max":512},
    {"name":"client_secret","type":"text","min":1,"max":2048},
    {"name":"metadata","type":"text","min":1,"max":262144},
    {"name":"metadata_url","type":"text","min":1,"max":2048},
  ],
}

export const ssoConnectionsUpdate: FormOperation = {
  name: "ssoConnections.update",
  summary: "Change an SSO connection",
  takesIfMatch: true,
  ids: 1,
  fields: [
    {"name":"name","type":"text","min":1,"max":120},
    {"name":"enabled","type":"boolean"},
    {"name":"domains","type":"list","item":{"name":"","type":"text","min":3,"max":253},"max":100},
    {"name":"required","type":"boolean"},
    {"name":"client_id","type":"text","min":1,"max":512},
    {"name":"client_secret","type":"text","min":1,"max":2048,"nullable":true},
    {"name":"metadata","type":"text","min":1,"max":262144},
    {"name":"metadata_url","type":"text","min":1,"max":2048},
    {"name":"uses_old_callback","type":"boolean"},
  ],
}
