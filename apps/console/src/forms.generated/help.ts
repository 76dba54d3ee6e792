// Made by `node infra/sdk/main.ts` of the API's document: do not edit it. `npm run check` compares it.
import type { FormOperation } from '../data/form-fields.ts'

export const helpCategoriesCreate: FormOperation = {
  name: "help.categories.create",
  summary: "Create a category of the help center",
  fields: [
    {"name":"name","type":"text","min":1,"max":120,"required":true},
    {"name":"slug","type":"text","min":1,"max":80},
    {"name":"description","type":"text","max":2000},
    {"name":"icon","type":"text","max":200},
    {"name":"parent_id","type":"text","nullable":true},
    {"name":"position","type":"integer","min":-1000000,"max":1000000},
  ],
}

export const helpCategoriesUpdate: FormOperation = {
  name: "help.categories.update",
  summary: "Change a category of the help center",
  takesIfMatch: true,
  ids: 1,
  fields: [
    {"name":"name","type":"text","min":1,"max":120},
    {"name":"slug","type":"text","min":1,"max":80},
    {"name":"description","type":"text","max":2000,"nullable":true},
    {"name":"icon","type":"text","max":200,"nullable":true},
    {"name":"parent_id","type":"text","nullable":true},
    {"name":"position","type":"integer","min":-1000000,"max":1000000},
  ],
}

export const helpArticlesCreate: FormOperation = {
  name: "help.articles.create",
  summary: "Write an article",
  fields: [
    {"name":"title","type":"text","min":1,"max":200,"required":true},
    {"name":"content","type":"text","max":50000,"required":true},
    {"name":"category_id","type":"text","nullable":true},
    {"name":"slug","type":"text","min":1,"max":80},
    {"name":"labels","type":"list","item":{"name":"","type":"text","min":1,"max":40},"max":20},
    {"name":"locale","type":"text","max":35},
    {"name":"visibility","type":"text","words":["public","members","internal"]},
    {"name":"required_plans","type":"list","item":{"name":"","type":"text"},"max":50},
  ],
}

export const helpArticlesUpdate: FormOperation = {
  name: "help.articles.update",
  summary: "Change an article",
  takesIfMatch: true,
  ids: 1,
  fields: [
    {"name":"title","type":"text","min":1,"max":200},
    {"name":"content","type":"text","max":50000},
    {"name":"category_id","type":"text","nullable":true},
    {"name":"slug","type":"text","min":1,"max":80},
    {"name":"labels","type":"list","item":{"name":"","type":"text","min":1,"max":40},"max":20},
    {"name":"visibility","type":"text","words":["public","members","internal"]},
    {"name":"required_plans","type":"list","item":{"name":"","type":"text"},"max":50},
  ],
}

export const helpArticlesTranslationsSet: FormOperation = {
  name: "help.articles.translations.set",
  summary: "Translate an article",
  ids: 2,
  fields: [
    {"name":"title","type":"text","min":1,"max":200,"required":true},
    {"name":"content","type":"text","max":50000,"required":true},
  ],
}

export const helpArticlesVote: FormOperation = {
  name: "help.articles.vote",
  summary: "Vote on whether an article helped",
  ids: 1,
  fields: [
    {"name":"helpful","type":"boolean","required":true},
    {"name":"session_id","type":"text","min":1,"max":100},
    {"name":"member_id","type":"text"},
  ],
}
