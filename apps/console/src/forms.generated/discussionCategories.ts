// Made by `node infra/sdk/main.ts` of the API's document: do not edit it. `npm run check` compares it.
import type { FormOperation } from '../data/form-fields.ts'

export const discussionCategoriesCreate: FormOperation = {
  name: "discussionCategories.create",
  summary: "Create a category of discussions",
  fields: [
    {"name":"name","type":"text","min":1,"max":80,"about":"The name","required":true},
    {"name":"slug","type":"text","min":1,"max":80,"about":"Lower-case words joined by hyphens; unique in the project"},
    {"name":"description","type":"text","max":2000,"about":"A text of some sentences"},
    {"name":"position","type":"integer","min":0,"max":1000000,"about":"The position in lists; categories with the same position are sorted by age"},
    {"name":"required_plans","type":"list","item":{"name":"","type":"text"},"max":50,"about":"Only members on one of these plans can read and write in this category; empty: everybody can"},
    {"name":"moderated","type":"boolean","about":"True: the first post of a member waits for a moderator"},
  ],
}

export const discussionCategoriesUpdate: FormOperation = {
  name: "discussionCategories.update",
  summary: "Change a category of discussions",
  takesIfMatch: true,
  ids: 1,
  fields: [
    {"name":"name","type":"text","min":1,"max":80,"about":"The name"},
    {"name":"slug","type":"text","min":1,"max":80,"about":"Lower-case words joined by hyphens; unique in the project"},
    {"name":"description","type":"text","max":2000,"nullable":true,"about":"Null or an empty string removes the value"},
    {"name":"position","type":"integer","min":0,"max":1000000,"about":"The position in lists; categories with the same position are sorted by age"},
    {"name":"required_plans","type":"list","item":{"name":"","type":"text"},"max":50,"about":"Only members on one of these plans can read and write in this category; empty: everybody can"},
    {"name":"moderated","type":"boolean","about":"True: the first post of a member waits for a moderator"},
  ],
}
