// Made by `node infra/sdk/main.ts` of the API's document: do not edit it. `npm run check` compares it.
import type { FormOperation } from '../data/form-fields.ts'

export const moderationApprove: FormOperation = {
  name: "moderation.approve",
  summary: "Show a reported or held post",
  ids: 1,
  fields: [
    {"name":"reason","type":"text","min":1,"max":500},
  ],
}

export const moderationRemove: FormOperation = {
  name: "moderation.remove",
  summary: "Remove a reported or held post",
  ids: 1,
  fields: [
    {"name":"reason","type":"text","min":1,"max":500,"required":true},
  ],
}

export const moderationBulkCreate: FormOperation = {
  name: "moderation.bulk.create",
  summary: "Decide many cases of the queue",
  fields: [
    {"name":"operations","type":"list","item":{"name":"","type":"object","fields":[{"name":"id","type":"text","required":true},{"name":"action","type":"text","words":["approve","remove"],"required":true},{"name":"reason","type":"text","min":1,"max":500}]},"min":1,"max":100,"required":true},
  ],
}

export const moderationAppeal: FormOperation = {
  name: "moderation.appeal",
  summary: "Appeal a held, hidden or removed post",
  ids: 1,
  fields: [
    {"name":"text","type":"text","min":1,"max":2000,"required":true},
    {"name":"member_id","type":"text"},
  ],
}

export const moderationRulesCreate: FormOperation = {
  name: "moderation.rules.create",
  summary: "Create a moderation rule",
  fields: [
    {"name":"kind","type":"text","words":["words","links","rate","age","duplicates","hook"],"required":true},
    {"name":"name","type":"text","max":80},
    {"name":"enabled","type":"boolean"},
    {"name":"action","type":"text","words":["hold","refuse"]},
    {"name":"younger_than_hours","type":"integer","min":1,"max":8760,"nullable":true},
    {"name":"fewer_posts_than","type":"integer","min":1,"max":100,"nullable":true},
    {"name":"words","type":"list","item":{"name":"","type":"text","min":2,"max":100},"max":5000},
    {"name":"max_links","type":"integer","min":0,"max":100},
    {"name":"max_posts","type":"integer","min":1,"max":100},
    {"name":"per_minutes","type":"integer","min":1,"max":1440},
    {"name":"url","type":"text","min":1,"max":2048},
    {"name":"on_timeout","type":"text","words":["hold","publish"]},
    {"name":"secret","type":"text"},
  ],
}

export const moderationRulesTest: FormOperation = {
  name: "moderation.rules.test",
  summary: "Test what the rules say about a text",
  fields: [
    {"name":"content","type":"text","min":1,"max":50000,"required":true},
    {"name":"title","type":"text","max":200},
    {"name":"member_id","type":"text"},
  ],
}

export const moderationRulesUpdate: FormOperation = {
  name: "moderation.rules.update",
  summary: "Change a moderation rule",
  takesIfMatch: true,
  ids: 1,
  fields: [
    {"name":"name","type":"text","max":80,"nullable":true},
    {"name":"enabled","type":"boolean"},
    {"name":"action","type":"text","words":["hold","refuse"]},
    {"name":"younger_than_hours","type":"integer","min":1,"max":8760,"nullable":true},
    {"name":"fewer_posts_than","type":"integer","min":1,"max":100,"nullable":true},
    {"name":"words","type":"list","item":{"name":"","type":"text","min":2,"max":100},"max":5000},
    {"name":"max_links","type":"integer","min":0,"max":100},
    {"name":"max_posts","type":"integer","min":1,"max":100},
    {"name":"per_minutes","type":"integer","min":1,"max":1440},
    {"name":"url","type":"text","min":1,"max":2048},
    {"name":"on_timeout","type":"text","words":["hold","publish"]},
    {"name":"secret","type":"text"},
  ],
}
