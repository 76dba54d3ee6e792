// Made by `node infra/sdk/main.ts` of the API's document: do not edit it. `npm run check` compares it.
import type { FormOperation } from '../data/form-fields.ts'

export const feedbackCreate: FormOperation = {
  name: "feedback.create",
  summary: "Create an item of feedback",
  fields: [
    {"name":"type","type":"text","words":["feedback","bug","feature","question"],"required":true},
    {"name":"message","type":"text","min":1,"max":10000,"required":true},
    {"name":"title","type":"text","min":1,"max":200},
    {"name":"email","type":"text","format":"email"},
    {"name":"user_id","type":"text"},
    {"name":"visibility","type":"text","words":["public","private"]},
    {"name":"metadata","type":"value"},
    {"name":"attachments","type":"list","item":{"name":"","type":"text","max":80},"max":10},
    {"name":"member_id","type":"text"},
  ],
}

export const feedbackUpdate: FormOperation = {
  name: "feedback.update",
  summary: "Change an item of feedback",
  takesIfMatch: true,
  ids: 1,
  fields: [
    {"name":"type","type":"text","words":["feedback","bug","feature","question"]},
    {"name":"title","type":"text","min":1,"max":200,"nullable":true},
    {"name":"message","type":"text","min":1,"max":10000},
    {"name":"visibility","type":"text","words":["public","private"]},
    {"name":"metadata","type":"value"},
    {"name":"attachments","type":"list","item":{"name":"","type":"text","max":80},"max":10},
  ],
}

export const feedbackVote: FormOperation = {
  name: "feedback.vote",
  summary: "Vote for an item",
  ids: 1,
  fields: [
    {"name":"member_id","type":"text"},
  ],
}

export const feedbackMerge: FormOperation = {
  name: "feedback.merge",
  summary: "Merge an item into another item, or undo a merge",
  ids: 1,
  fields: [
    {"name":"into","type":"text","nullable":true,"required":true},
  ],
}

export const feedbackStatusSet: FormOperation = {
  name: "feedback.status.set",
  summary: "Set the status of an item",
  ids: 1,
  fields: [
    {"name":"status","type":"text","words":["new","under_review","planned","in_progress","done","declined"],"required":true},
    {"name":"note","type":"text","max":2000},
    {"name":"notify_voters","type":"boolean"},
  ],
}

export const feedbackChangeInBulk: FormOperation = {
  name: "feedback.changeInBulk",
  summary: "Set the status of many items, merge them or delete them",
  fields: [
    {"name":"operations","type":"list","item":{"name":"","type":"object","fields":[{"name":"id","type":"text","required":true},{"name":"action","type":"text","words":["set_status","merge","delete"],"required":true},{"name":"status","type":"text","words":["new","under_review","planned","in_progress","done","declined"]},{"name":"note","type":"text","max":2000},{"name":"notify_voters","type":"boolean"},{"name":"into","type":"text","nullable":true}]},"min":1,"max":100,"required":true},
  ],
}

export const feedbackCommentsCreate: FormOperation = {
  name: "feedback.comments.create",
  summary: "Comment on an item",
  ids: 1,
  fields: [
    {"name":"content","type":"text","min":1,"max":10000,"required":true},
    {"name":"author_id","type":"text"},
    {"name":"official","type":"boolean"},
    {"name":"visibility","type":"text","words":["public","private"]},
    {"name":"attachments","type":"list","item":{"name":"","type":"text","max":80},"max":10},
    {"name":"member_id","type":"text"},
  ],
}
