// Made by `node infra/sdk/main.ts` of the API's document: do not edit it. `npm run check` compares it.
import type { FormOperation } from '../data/form-fields.ts'

export const formsCreate: FormOperation = {
  name: "forms.create",
  summary: "Create a form",
  fields: [
    {"name":"name","type":"text","min":1,"max":200,"required":true},
    {"name":"description","type":"text","max":2000},
    {"name":"type","type":"text","words":["signup","contact","feedback","custom"],"default":"custom"},
    {"name":"fields","type":"list","item":{"name":"","type":"object","fields":[{"name":"id","type":"text","max":64,"required":true},{"name":"type","type":"text","words":["text","textarea","email","url","phone","number","date","select","multi_select","checkbox","radio","rating","file","password","hidden","consent","section"],"required":true},{"name":"label","type":"text","min":1,"max":500,"required":true},{"name":"required","type":"boolean","default":false},{"name":"placeholder","type":"text","max":500},{"name":"help_text","type":"text","max":2000},{"name":"default","type":"value"},{"name":"options","type":"list","item":{"name":"","type":"object","fields":[{"name":"value","type":"text","min":1,"max":200,"required":true},{"name":"label","type":"text","max":200}]},"min":1,"max":200},{"name":"validation","type":"object","fields":[{"name":"min","type":"value"},{"name":"max","type":"value"},{"name":"min_length","type":"integer","min":0,"max":100000},{"name":"max_length","type":"integer","min":0,"max":100000},{"name":"pattern","type":"text","min":1,"max":500},{"name":"allowed_types","type":"list","item":{"name":"","type":"text","max":127},"min":1,"max":50},{"name":"max_size","type":"integer","min":1,"max":1099511627776}]},{"name":"visible_if","type":"object","fields":[{"name":"match","type":"text","words":["all","any"],"default":"all"},{"name":"conditions","type":"list","item":{"name":"","type":"object","fields":[{"name":"field","type":"text","max":64,"required":true},{"name":"operator","type":"text","words":["equals","not_equals","contains","not_contains","greater_than","less_than","is_empty","is_not_empty"],"required":true},{"name":"value","type":"value"}]},"min":1,"max":20,"required":true}]}]},"max":200},
    {"name":"settings","type":"object","fields":[{"name":"submit_button_text","type":"text","max":200},{"name":"success_message","type":"text","max":2000},{"name":"redirect_url","type":"text","format":"uri","max":2048},{"name":"spam","type":"object","fields":[{"name":"honeypot","type":"text","max":64},{"name":"min_seconds","type":"integer","min":0,"max":3600,"default":0},{"name":"duplicate_seconds","type":"integer","min":0,"max":604800,"default":60}]},{"name":"signup","type":"object","fields":[{"name":"email_field","type":"text","max":64,"required":true},{"name":"password_field","type":"text","max":64},{"name":"full_name_field","type":"text","max":64}]}]},
  ],
}

export const formsUpdate: FormOperation = {
  name: "forms.update",
  summary: "Change a form",
  takesIfMatch: true,
  ids: 1,
  fields: [
    {"name":"name","type":"text","min":1,"max":200},
    {"name":"description","type":"text","max":2000,"nullable":true},
    {"name":"type","type":"text","words":["signup","contact","feedback","custom"]},
    {"name":"fields","type":"list","item":{"name":"","type":"object","fields":[{"name":"id","type":"text","max":64,"required":true},{"name":"type","type":"text","words":["text","textarea","email","url","phone","number","date","select","multi_select","checkbox","radio","rating","file","password","hidden","consent","section"],"required":true},{"name":"label","type":"text","min":1,"max":500,"required":true},{"name":"required","type":"boolean","default":false},{"name":"placeholder","type":"text","max":500},{"name":"help_text","type":"text","max":2000},{"name":"default","type":"value"},{"name":"options","type":"list","item":{"name":"","type":"object","fields":[{"name":"value","type":"text","min":1,"max":200,"required":true},{"name":"label","type":"text","max":200}]},"min":1,"max":200},{"name":"validation","type":"object","fields":[{"name":"min","type":"value"},{"name":"max","type":"value"},{"name":"min_length","type":"integer","min":0,"max":100000},{"name":"max_length","type":"integer","min":0,"max":100000},{"name":"pattern","type":"text","min":1,"max":500},{"name":"allowed_types","type":"list","item":{"name":"","type":"text","max":127},"min":1,"max":50},{"name":"max_size","type":"integer","min":1,"max":1099511627776}]},{"name":"visible_if","type":"object","fields":[{"name":"match","type":"text","words":["all","any"],"default":"all"},{"name":"conditions","type":"list","item":{"name":"","type":"object","fields":[{"name":"field","type":"text","max":64,"required":true},{"name":"operator","type":"text","words":["equals","not_equals","contains","not_contains","greater_than","less_than","is_empty","is_not_empty"],"required":true},{"name":"value","type":"value"}]},"min":1,"max":20,"required":true}]}]},"max":200},
    {"name":"settings","type":"object","fields":[{"name":"submit_button_text","type":"text","max":200,"nullable":true},{"name":"success_message","type":"text","max":2000,"nullable":true},{"name":"redirect_url","type":"text","format":"uri","max":2048,"nullable":true},{"name":"spam","type":"object","fields":[{"name":"honeypot","type":"text","max":64},{"name":"min_seconds","type":"integer","min":0,"max":3600,"default":0},{"name":"duplicate_seconds","type":"integer","min":0,"max":604800,"default":60}],"nullable":true},{"name":"signup","type":"object","fields":[{"name":"email_field","type":"text","max":64,"required":true},{"name":"password_field","type":"text","max":64},{"name":"full_name_field","type":"text","max":64}],"nullable":true}]},
  ],
}

export const formsSubmissionsCreate: FormOperation = {
  name: "forms.submissions.create",
  summary: "Submit a form",
  ids: 1,
  fields: [
    {"name":"data","type":"value","required":true},
    {"name":"member_id","type":"text"},
    {"name":"token","type":"text","max":200},
  ],
}

export const formsSubmissionsUpdate: FormOperation = {
  name: "forms.submissions.update",
  summary: "Mark a submission as spam or as not spam",
  takesIfMatch: true,
  ids: 2,
  fields: [
    {"name":"status","type":"text","words":["received","spam"],"required":true},
  ],
}

export const formsExportsCreate: FormOperation = {
  name: "forms.exports.create",
  summary: "Export the submissions of a form in the background",
  ids: 1,
  fields: [
    {"name":"format","type":"text","words":["csv","json"],"default":"csv"},
    {"name":"bom","type":"boolean","default":false},
    {"name":"raw","type":"boolean","default":false},
    {"name":"status","type":"text","words":["received","spam"],"default":"received"},
    {"name":"start_date","type":"text"},
    {"name":"end_date","type":"text"},
    {"name":"search","type":"text","min":1,"max":200},
    {"name":"member_id","type":"text"},
  ],
}
