// Made by `node infra/sdk/main.ts` of the API's document: do not edit it. `npm run check` compares it.
import type { FormOperation } from '../data/form-fields.ts'

export const moderationApprove: FormOperation = {
  name: "moderation.approve",
  summary: "Show a reported or held post",
  ids: 1,
  fields: [
    {"name":"reason","type":"text","min":1,"max":500,"about":"Why"},
  ],
}

export const moderationRemove: FormOperation = {
  name: "moderation.remove",
  summary: "Remove a reported or held post",
  ids: 1,
  fields: [
    {"name":"reason","type":"text","min":1,"max":500,"about":"Why","required":true},
  ],
}

export const moderationBulkCreate: FormOperation = {
  name: "moderation.bulk.create",
  summary: "Decide many cases of the queue",
  fields: [
    {"name":"operations","type":"list","item":{"name":"","type":"object","fields":[{"name":"id","type":"text","about":"The id of a case","required":true},{"name":"action","type":"text","words":["approve","remove"],"about":"What is decided","required":true},{"name":"reason","type":"text","min":1,"max":500,"about":"Why, in words for the author"}]},"min":1,"max":100,"about":"The operations, in their order","required":true},
  ],
}

export const moderationAppeal: FormOperation = {
  name: "moderation.appeal",
  summary: "Appeal a held, hidden or removed post",
  ids: 1,
  fields: [
    {"name":"text","type":"text","min":1,"max":2000,"about":"The words of the author for the moderators","required":true},
    {"name":"member_id","type":"text","about":"Instead of the header `X-User-ID`"},
  ],
}

export const moderationRulesCreate: FormOperation = {
  name: "moderation.rules.create",
  summary: "Create a moderation rule",
  fields: [
    {"name":"kind","type":"text","words":["words","links","rate","age","duplicates","hook"],"about":"`words`: a post has one of the words; `links`: it has more links than `max_links`; `rate`: its author has written `max_posts` in `per_minutes`; `age`: the author is new, by `younger_than_hours` or `fewer_posts_than`; `duplicates`: a post of the last `per_minutes` says the same, or nearly; `hook`: an outside service decides, see the guide","required":true},
    {"name":"name","type":"text","max":80,"about":"A name for the team"},
    {"name":"enabled","type":"boolean","about":"Whether it is in use"},
    {"name":"action","type":"text","words":["hold","refuse"],"about":"`hold`: a moderator looks at the post before others see it; `refuse`: the post is refused"},
    {"name":"younger_than_hours","type":"integer","min":1,"max":8760,"nullable":true,"about":"Only for authors who joined less than so many hours ago"},
    {"name":"fewer_posts_than","type":"integer","min":1,"max":100,"nullable":true,"about":"Only for authors with fewer posts that others can see"},
    {"name":"words","type":"list","item":{"name":"","type":"text","min":2,"max":100},"max":5000,"about":"Only of `words`: whole words, or several words in their order"},
    {"name":"max_links","type":"integer","min":0,"max":100,"about":"Only of `links`: more links than this are too many"},
    {"name":"max_posts","type":"integer","min":1,"max":100,"about":"Only of `rate`: so many posts are allowed in the time"},
    {"name":"per_minutes","type":"integer","min":1,"max":1440,"about":"Only of `rate` and `duplicates`: the time, up to a day"},
    {"name":"url","type":"text","min":1,"max":2048,"about":"Only of `hook`: the https URL of the service, with a public address, port 443, 80 or a port from 1024 on, and without credentials"},
    {"name":"on_timeout","type":"text","words":["hold","publish"],"about":"Only of `hook`: what becomes of a post if the service gives no valid answer within 5 s"},
    {"name":"secret","type":"text","about":"Only of `hook`: the secret with which questions and answers are signed, `whsec_` and 24 to 64 bytes in base64"},
  ],
}

export const moderationRulesTest: FormOperation = {
  name: "moderation.rules.test",
  summary: "Test what the rules say about a text",
  fields: [
    {"name":"content","type":"text","min":1,"max":50000,"about":"The text of a post, in Markdown","required":true},
    {"name":"title","type":"text","max":200,"about":"The title"},
    {"name":"member_id","type":"text","about":"The id of a member"},
  ],
}

export const moderationRulesUpdate: FormOperation = {
  name: "moderation.rules.update",
  summary: "Change a moderation rule",
  takesIfMatch: true,
  ids: 1,
  fields: [
    {"name":"name","type":"text","max":80,"nullable":true,"about":"A name for the team"},
    {"name":"enabled","type":"boolean","about":"Whether it is in use"},
    {"name":"action","type":"text","words":["hold","refuse"],"about":"`hold`: a moderator looks at the post before others see it; `refuse`: the post is refused"},
    {"name":"younger_than_hours","type":"integer","min":1,"max":8760,"nullable":true,"about":"Only for authors who joined less than so many hours ago"},
    {"name":"fewer_posts_than","type":"integer","min":1,"max":100,"nullable":true,"about":"Only for authors with fewer posts that others can see"},
    {"name":"words","type":"list","item":{"name":"","type":"text","min":2,"max":100},"max":5000,"about":"Only of `words`: whole words, or several words in their order"},
    {"name":"max_links","type":"integer","min":0,"max":100,"about":"Only of `links`: more links than this are too many"},
    {"name":"max_posts","type":"integer","min":1,"max":100,"about":"Only of `rate`: so many posts are allowed in the time"},
    {"name":"per_minutes","type":"integer","min":1,"max":1440,"about":"Only of `rate` and `duplicates`: the time, up to a day"},
    {"name":"url","type":"text","min":1,"max":2048,"about":"Only of `hook`: the https URL of the service, with a public address, port 443, 80 or a port from 1024 on, and without credentials"},
    {"name":"on_timeout","type":"text","words":["hold","publish"],"about":"Only of `hook`: what becomes of a post if the service gives no valid answer within 5 s"},
    {"name":"secret","type":"text","about":"Only of `hook`: the secret with which questions and answers are signed, `whsec_` and 24 to 64 bytes in base64"},
  ],
}
