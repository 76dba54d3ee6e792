// Made by `node infra/sdk/main.ts` of the API's document: do not edit it. `npm run check` compares it.
import type { FormOperation } from '../data/form-fields.ts'

export const discussionsCreate: FormOperation = {
  name: "discussions.create",
  summary: "Start a discussion",
  fields: [
    {"name":"title","type":"text","min":1,"max":200,"about":"The title","required":true},
    {"name":"content","type":"text","min":1,"max":50000,"about":"The text in Markdown","required":true},
    {"name":"author_id","type":"text","about":"The member who writes"},
    {"name":"category","type":"text","min":1,"max":80,"about":"The slug of a category","required":true},
    {"name":"attachments","type":"list","item":{"name":"","type":"text","max":80},"max":10,"about":"The ids of the files of the post"},
    {"name":"member_id","type":"text","about":"Another name of `author_id`"},
  ],
}

export const discussionsUpdate: FormOperation = {
  name: "discussions.update",
  summary: "Change a discussion",
  takesIfMatch: true,
  ids: 1,
  fields: [
    {"name":"title","type":"text","min":1,"max":200,"about":"The title"},
    {"name":"content","type":"text","min":1,"max":50000,"about":"The text in Markdown"},
    {"name":"category","type":"text","min":1,"max":80,"about":"The slug of a category"},
    {"name":"attachments","type":"list","item":{"name":"","type":"text","max":80},"max":10,"about":"The ids of the files of the post"},
  ],
}

export const discussionsPin: FormOperation = {
  name: "discussions.pin",
  summary: "Pin or unpin a discussion",
  ids: 1,
  fields: [
    {"name":"pinned","type":"boolean","about":"Whether it is shown first","required":true},
  ],
}

export const discussionsLock: FormOperation = {
  name: "discussions.lock",
  summary: "Lock or unlock a discussion",
  ids: 1,
  fields: [
    {"name":"locked","type":"boolean","about":"Whether new comments are refused","required":true},
  ],
}

export const discussionsAnswer: FormOperation = {
  name: "discussions.answer",
  summary: "Mark the comment that answers a discussion",
  ids: 1,
  fields: [
    {"name":"comment_id","type":"text","nullable":true,"about":"The id of a comment","required":true},
  ],
}

export const discussionsLike: FormOperation = {
  name: "discussions.like",
  summary: "Like a discussion",
  ids: 1,
  fields: [
    {"name":"member_id","type":"text","about":"Instead of the header `X-User-ID`"},
  ],
}

export const discussionsSubscribe: FormOperation = {
  name: "discussions.subscribe",
  summary: "Subscribe to a discussion",
  ids: 1,
  fields: [
    {"name":"member_id","type":"text","about":"Instead of the header `X-User-ID`"},
  ],
}

export const discussionsRead: FormOperation = {
  name: "discussions.read",
  summary: "Mark a discussion as read up to a comment",
  ids: 1,
  fields: [
    {"name":"up_to","type":"text","about":"The last comment that the member has read"},
    {"name":"member_id","type":"text","about":"Instead of the header `X-User-ID`"},
  ],
}

export const discussionsCommentsCreate: FormOperation = {
  name: "discussions.comments.create",
  summary: "Write a comment",
  ids: 1,
  fields: [
    {"name":"content","type":"text","min":1,"max":50000,"about":"The text in Markdown","required":true},
    {"name":"author_id","type":"text","about":"The member who writes"},
    {"name":"parent_id","type":"text","about":"The comment of this discussion to which this is a reply"},
    {"name":"attachments","type":"list","item":{"name":"","type":"text","max":80},"max":10,"about":"The ids of the files of the post"},
    {"name":"member_id","type":"text","about":"Another name of `author_id`"},
  ],
}
