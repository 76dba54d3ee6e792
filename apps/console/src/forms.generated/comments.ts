// Made by `node infra/sdk/main.ts` of the API's document: do not edit it. `npm run check` compares it.
import type { FormOperation } from '../data/form-fields.ts'

export const commentsUpdate: FormOperation = {
  name: "comments.update",
  summary: "Change a comment",
  takesIfMatch: true,
  ids: 1,
  fields: [
    {"name":"content","type":"text","min":1,"max":50000},
    {"name":"attachments","type":"list","item":{"name":"","type":"text","max":80},"max":10},
  ],
}

export const commentsLike: FormOperation = {
  name: "comments.like",
  summary: "Like a comment",
  ids: 1,
  fields: [
    {"name":"member_id","type":"text"},
  ],
}
