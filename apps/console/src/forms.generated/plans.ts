// Made by `node infra/sdk/main.ts` of the API's document: do not edit it. `npm run check` compares it.
import type { FormOperation } from '../data/form-fields.ts'

export const plansCreate: FormOperation = {
  name: "plans.create",
  summary: "Create a plan",
  fields: [
    {"name":"name","type":"text","min":1,"max":120,"required":true},
    {"name":"slug","type":"text","max":80},
    {"name":"description","type":"text","max":2000},
    {"name":"price","type":"number","min":0,"max":99999999,"required":true},
    {"name":"currency","type":"text"},
    {"name":"interval","type":"text","words":["month","year","one_time","free"]},
    {"name":"interval_count","type":"integer","min":1,"max":36},
    {"name":"trial_days","type":"integer","min":0,"max":730},
    {"name":"features","type":"list","item":{"name":"","type":"text","min":1,"max":80},"max":100},
    {"name":"limits","type":"value"},
    {"name":"rank","type":"integer","min":-1000,"max":1000},
    {"name":"visibility","type":"text","words":["public","hidden"]},
    {"name":"is_default","type":"boolean"},
  ],
}

export const plansUpdate: FormOperation = {
  name: "plans.update",
  summary: "Change a plan",
  takesIfMatch: true,
  ids: 1,
  fields: [
    {"name":"name","type":"text","min":1,"max":120},
    {"name":"slug","type":"text","max":80},
    {"name":"description","type":"text","max":2000,"nullable":true},
    {"name":"price","type":"number","min":0,"max":99999999},
    {"name":"currency","type":"text"},
    {"name":"interval","type":"text","words":["month","year","one_time","free"]},
    {"name":"interval_count","type":"integer","min":1,"max":36},
    {"name":"trial_days","type":"integer","min":0,"max":730},
    {"name":"features","type":"list","item":{"name":"","type":"text","min":1,"max":80},"max":100},
    {"name":"limits","type":"value"},
    {"name":"rank","type":"integer","min":-1000,"max":1000},
    {"name":"visibility","type":"text","words":["public","hidden"]},
    {"name":"is_default","type":"boolean"},
  ],
}
