// Made by `node infra/sdk/main.ts` of the API's document: do not edit it. `npm run check` compares it.
import type { FormOperation } from '../data/form-fields.ts'

export const helpCategoriesCreate: FormOperation = {
  name: "help.categories.create",
  summary: "Create a category of the help center",
  fields: [
    {"name":"name","type":"text","min":1,"max":120,"about":"The name","required":true},
    {"name":"slug","type":"text","min":1,"max":80,"about":"Lower-case words joined by hyphens; unique in the project"},
    {"name":"description","type":"text","max":2000,"about":"A text of some sentences"},
    {"name":"icon","type":"text","max":200,"about":"The name or the address of a picture; your pages decide how to show it"},
    {"name":"parent_id","type":"text","nullable":true,"about":"The parent category; null: the category is at the top level"},
    {"name":"position","type":"integer","min":-1000000,"max":1000000,"about":"Categories are shown in the order of their positions"},
  ],
}

export const helpCategoriesUpdate: FormOperation = {
  name: "help.categories.update",
  summary: "Change a category of the help center",
  takesIfMatch: true,
  ids: 1,
  fields: [
    {"name":"name","type":"text","min":1,"max":120,"about":"The name"},
    {"name":"slug","type":"text","min":1,"max":80,"about":"Lower-case words joined by hyphens; unique in the project"},
    {"name":"description","type":"text","max":2000,"nullable":true,"about":"Null or an empty string removes the value"},
    {"name":"icon","type":"text","max":200,"nullable":true,"about":"The name or the address of a picture; your pages decide how to show it"},
    {"name":"parent_id","type":"text","nullable":true,"about":"The parent category; null: the category is at the top level"},
    {"name":"position","type":"integer","min":-1000000,"max":1000000,"about":"Categories are shown in the order of their positions"},
  ],
}

export const helpArticlesCreate: FormOperation = {
  name: "help.articles.create",
  summary: "Write an article",
  fields: [
    {"name":"title","type":"text","min":1,"max":200,"about":"The title","required":true},
    {"name":"content","type":"text","max":50000,"about":"Markdown","required":true},
    {"name":"category_id","type":"text","nullable":true,"about":"The id of a category of the help center"},
    {"name":"slug","type":"text","min":1,"max":80,"about":"Lower-case words joined by hyphens; unique in the project"},
    {"name":"labels","type":"list","item":{"name":"","type":"text","min":1,"max":40},"max":20,"about":"Labels; articles with the same labels are related"},
    {"name":"locale","type":"text","max":35,"about":"A language as a BCP 47 tag"},
    {"name":"visibility","type":"text","words":["public","members","internal"],"about":"`public`: everybody can read it; `members`: only members; `internal`: only secret keys"},
    {"name":"required_plans","type":"list","item":{"name":"","type":"text","about":"The id of a plan"},"max":50,"about":"A reader must be on one of these plans; empty: no plan is needed"},
  ],
}

export const helpArticlesUpdate: FormOperation = {
  name: "help.articles.update",
  summary: "Change an article",
  takesIfMatch: true,
  ids: 1,
  fields: [
    {"name":"title","type":"text","min":1,"max":200,"about":"The title"},
    {"name":"content","type":"text","max":50000,"about":"Markdown"},
    {"name":"category_id","type":"text","nullable":true,"about":"The id of a category of the help center"},
    {"name":"slug","type":"text","min":1,"max":80,"about":"Lower-case words joined by hyphens; unique in the project"},
    {"name":"labels","type":"list","item":{"name":"","type":"text","min":1,"max":40},"max":20,"about":"Labels; articles with the same labels are related"},
    {"name":"visibility","type":"text","words":["public","members","internal"],"about":"`public`: everybody can read it; `members`: only members; `internal`: only secret keys"},
    {"name":"required_plans","type":"list","item":{"name":"","type":"text","about":"The id of a plan"},"max":50,"about":"A reader must be on one of these plans; empty: no plan is needed"},
  ],
}

export const helpArticlesTranslationsSet: FormOperation = {
  name: "help.articles.translations.set",
  summary: "Translate an article",
  ids: 2,
  fields: [
    {"name":"title","type":"text","min":1,"max":200,"about":"The title","required":true},
    {"name":"content","type":"text","max":50000,"about":"Markdown","required":true},
  ],
}

export const helpArticlesVote: FormOperation = {
  name: "help.articles.vote",
  summary: "Vote on whether an article helped",
  ids: 1,
  fields: [
    {"name":"helpful","type":"boolean","about":"True if the article helped","required":true},
    {"name":"session_id","type":"text","min":1,"max":100,"about":"Required with a public key: a random text that the browser keeps, so that it has one vote"},
    {"name":"member_id","type":"text","about":"Instead of the header `X-User-ID`"},
  ],
}
