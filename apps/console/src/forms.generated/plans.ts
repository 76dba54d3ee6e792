// Made by `node infra/sdk/main.ts` of the API's document: do not edit it. `npm run check` compares it.
import type { FormOperation } from '../data/form-fields.ts'

export const plansCreate: FormOperation = {
  name: "plans.create",
  summary: "Create a plan",
  fields: [
    {"name":"name","type":"text","min":1,"max":120,"about":"The name","required":true},
    {"name":"slug","type":"text","max":80,"about":"Lower-case words joined by hyphens; unique in the project"},
    {"name":"description","type":"text","max":2000,"about":"A text of some sentences"},
    {"name":"price","type":"number","min":0,"max":99999999,"about":"The price in the currency, with at most as many decimals as the currency has","required":true},
    {"name":"currency","type":"text","about":"A currency: an ISO 4217 code in lower case"},
    {"name":"interval","type":"text","words":["month","year","one_time","free"],"about":"The unit of the billing period"},
    {"name":"interval_count","type":"integer","min":1,"max":36,"about":"The number of intervals in a billing period"},
    {"name":"trial_days","type":"integer","min":0,"max":730,"about":"The days that are free at the beginning"},
    {"name":"features","type":"list","item":{"name":"","type":"text","min":1,"max":80},"max":100,"about":"Keys of the features of the plan"},
    {"name":"limits","type":"value","about":"Numbers and settings that your product reads"},
    {"name":"rank","type":"integer","min":-1000,"max":1000,"about":"The order of plans: a change to a plan with a higher rank is an upgrade"},
    {"name":"visibility","type":"text","words":["public","hidden"],"about":"The people who can see it"},
    {"name":"is_default","type":"boolean","about":"True replaces the present default plan"},
  ],
}

export const plansUpdate: FormOperation = {
  name: "plans.update",
  summary: "Change a plan",
  takesIfMatch: true,
  ids: 1,
  fields: [
    {"name":"name","type":"text","min":1,"max":120,"about":"The name"},
    {"name":"slug","type":"text","max":80,"about":"Lower-case words joined by hyphens; unique in the project"},
    {"name":"description","type":"text","max":2000,"nullable":true,"about":"Null or an empty string removes the value"},
    {"name":"price","type":"number","min":0,"max":99999999,"about":"The price in the currency, with at most as many decimals as the currency has"},
    {"name":"currency","type":"text","about":"A currency: an ISO 4217 code in lower case"},
    {"name":"interval","type":"text","words":["month","year","one_time","free"],"about":"The unit of the billing period"},
    {"name":"interval_count","type":"integer","min":1,"max":36,"about":"The number of intervals in a billing period"},
    {"name":"trial_days","type":"integer","min":0,"max":730,"about":"The days that are free at the beginning"},
    {"name":"features","type":"list","item":{"name":"","type":"text","min":1,"max":80},"max":100,"about":"Keys of the features of the plan"},
    {"name":"limits","type":"value","about":"Numbers and settings that your product reads"},
    {"name":"rank","type":"integer","min":-1000,"max":1000,"about":"The order of plans: a change to a plan with a higher rank is an upgrade"},
    {"name":"visibility","type":"text","words":["public","hidden"],"about":"The people who can see it"},
    {"name":"is_default","type":"boolean","about":"True replaces the present default plan"},
  ],
}
