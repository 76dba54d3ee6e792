// Made by `node infra/sdk/main.ts` of the API's document: do not edit it. `npm run check` compares it.
import type { FormOperation } from '../data/form-fields.ts'

export const discussionCategoriesCreate: FormOperation = {
  name: "discussionCategories.create",
  summary: "Create a category of discussions",
  fields: [
    {"name":"name","type":"text","min":1,"max":80,"required":true},
    {"name":"slug","type":"text","min":1,"max":80},
    {"name":"description","type":"text","max":2000},
    {"name":"position","type":"integer","min":0,"max":1000000},
    {"name":"required_plans","type":"list","item":{"name":"","type":"text"},"max":50},
    {"name":"moderated","type":"boolean"},
  ],
}

export const discussionCategoriesUpdate: FormOperation = {
  name: "discussionCategories.update",
  summary: "Change a category of discussions",
  takesIfMatch: true,
  ids: 1,
  fields: [
    {"name":"name","type":"text","min":1,"max":80},
    {"name":"slug","type":"text","min":1,"max":80},
    {"name":"description","type":"text","max":2000,"nullable":true},
    {"name":"position","type":"integer","min":0,"max":1000000},
    {"name":"required_plans","type":"list","item":{"name":"","type":"text"},"max":50},
    {"name":"moderated","type":"boolean"},
  ],
}
