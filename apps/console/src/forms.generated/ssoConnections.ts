// Made by `node infra/sdk/main.ts` of the API's document: do not edit it. `npm run check` compares it.
import type { FormOperation } from '../data/form-fields.ts'

export const ssoConnectionsCreate: FormOperation = {
  name: "ssoConnections.create",
  summary: "Connect an OpenID or SAML provider",
  fields: [
    {"name":"type","type":"text","words":["oidc","saml"],"about":"OpenID Connect or SAML 2.0","required":true},
    {"name":"name","type":"text","min":1,"max":120,"about":"The name that a login page shows","required":true},
    {"name":"enabled","type":"boolean","default":true,"about":"False: nobody can log in by the connection"},
    {"name":"domains","type":"list","item":{"name":"","type":"text","min":3,"max":253},"max":100,"about":"The domains of the addresses that log in by the connection"},
    {"name":"required","type":"boolean","default":false,"about":"True: addresses of the domains can log in by this connection only"},
    {"name":"issuer","type":"text","min":1,"max":1024,"about":"The issuer of an OpenID provider; its discovery document is read"},
    {"name":"client_id","type":"text","min":1,"max":512,"about":"The client id that the OpenID provider gave you"},
    {"name":"client_secret","type":"text","min":1,"max":2048,"about":"The client secret"},
    {"name":"metadata","type":"text","min":1,"max":262144,"about":"The metadata of the SAML provider, as XML"},
    {"name":"metadata_url","type":"text","min":1,"max":2048,"about":"The address of the metadata of the SAML provider"},
  ],
}

export const ssoConnectionsUpdate: FormOperation = {
  name: "ssoConnections.update",
  summary: "Change an SSO connection",
  takesIfMatch: true,
  ids: 1,
  fields: [
    {"name":"name","type":"text","min":1,"max":120,"about":"The name that a login page shows"},
    {"name":"enabled","type":"boolean","about":"False: nobody can log in by the connection"},
    {"name":"domains","type":"list","item":{"name":"","type":"text","min":3,"max":253},"max":100,"about":"The domains of the addresses that log in by the connection"},
    {"name":"required","type":"boolean","about":"True: addresses of the domains can log in by this connection only"},
    {"name":"client_id","type":"text","min":1,"max":512,"about":"The client id that the OpenID provider gave you"},
    {"name":"client_secret","type":"text","min":1,"max":2048,"nullable":true,"about":"The client secret"},
    {"name":"metadata","type":"text","min":1,"max":262144,"about":"The metadata of the SAML provider, as XML"},
    {"name":"metadata_url","type":"text","min":1,"max":2048,"about":"The address of the metadata of the SAML provider"},
    {"name":"uses_old_callback","type":"boolean","about":"Set it to false after the provider allows `callback_url`"},
  ],
}
