// Made by `node infra/sdk/main.ts` of the API's document: do not edit it. `npm run check` compares it.
import type { FormOperation } from '../data/form-fields.ts'

export const discussionsCreate: FormOperation = {
  name: "discussions.create",
  summary: "Start a discussion",
  fields: [
    {"name":"title","type":"text","min":1,"max":200,"required":true},
    {"name":"content","type":"text","min":1,"max":50000,"required":true},
    {"name":"author_id","type":"text"},
    {"name":"category","type":"text","min":1,"max":80,"required":true},
    {"name":"attachments","type":"list","item":{"name":"","type":"text","max":80},"max":10},
    {"name":"member_id","type":"text"},
  ],
}

export const discussionsUpdate: FormOperation = {
  name: "discussions.update",
  summary: "Change a discussion",
  takesIfMatch: true,
  ids: 1,
  fields: [
    {"name":"title","type":"text","min":1,"max":200},
    {"name":"content","type":"text","min":1,"max":50000},
    {"name":"category","type":"text","min":1,"max":80},
    {"name":"attachments","type":"list","item":{"name":"","type":"text","max":80},"max":10},
  ],
}

export const discussionsPin: FormOperation = {
  name: "discussions.pin",
  summary: "Pin or unpin a discussion",
  ids: 1,
  fields: [
    {"name":"pinned","type":"boolean","required":true},
  ],
}

export const discussionsLock: FormOperation = {
  name: "discussions.lock",
  summary: "Lock or unlock a discussion",
  ids: 1,
  fields: [
    {"name":"locked","type":"boolean","required":true},
  ],
}

export const discussionsAnswer: FormOperation = {
  name: "discussions.answer",
  summary: "Mark the comment that answers a discussion",
  ids: 1,
  fields: [
    {"name":"comment_id","type":"text","nullable":true,"required":true},
  ],
}

export const discussionsLike: FormOperation = {
  name: "discussions.like",
  summary: "Like a discussion",
  ids: 1,
  fields: [
    {"name":"member_id","type":"text"},
  ],
}

export const discussionsSubscribe: FormOperation = {
  name: "discussions.subscribe",
  summary: "Subscribe to a discussion",
  ids: 1,
  fields: [
    {"name":"member_id","type":"text"},
  ],
}

export const discussionsRead: FormOperation = {
  name: "discussions.read",
  summary: "Mark a discussion as read up to a comment",
  ids: 1,
  fields: [
    {"name":"up_to","type":"text"},
    {"name":"member_id","type":"text"},
  ],
}

export const discussionsCommentsCreate: FormOperation = {
  name: "discussions.comments.create",
  summary: "Write a comment",
  ids: 1,
  fields: [
    {"name":"content","type":"text","min":1,"max":50000,"required":true},
    {"name":"author_id","type":"text"},
    {"name":"parent_id","type":"text"},
    {"name":"attachments","type":"list","item":{"name":"","type":"text","max":80},"max":10},
    {"name":"member_id","type":"text"},
  ],
}
