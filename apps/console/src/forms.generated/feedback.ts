// Made by `node infra/sdk/main.ts` of the API's document: do not edit it. `npm run check` compares it.
import type { FormOperation } from '../data/form-fields.ts'

export const feedbackCreate: FormOperation = {
  name: "feedback.create",
  summary: "Create an item of feedback",
  fields: [
    {"name":"type","type":"text","words":["feedback","bug","feature","question"],"about":"The type of the item","required":true},
    {"name":"message","type":"text","min":1,"max":10000,"about":"The text","required":true},
    {"name":"title","type":"text","min":1,"max":200,"about":"The title"},
    {"name":"email","type":"text","format":"email","about":"The email address of the sender"},
    {"name":"user_id","type":"text","about":"The member who sends the item"},
    {"name":"visibility","type":"text","words":["public","private"],"about":"Default: `private` for a bug, `public` for everything else"},
    {"name":"metadata","type":"value","about":"Free-form data: at most 50 keys, 16 KiB and 5 levels"},
    {"name":"attachments","type":"list","item":{"name":"","type":"text","max":80},"max":10,"about":"The ids of the files of the post"},
    {"name":"member_id","type":"text","about":"Another name of `user_id`"},
  ],
}

export const feedbackUpdate: FormOperation = {
  name: "feedback.update",
  summary: "Change an item of feedback",
  takesIfMatch: true,
  ids: 1,
  fields: [
    {"name":"type","type":"text","words":["feedback","bug","feature","question"],"about":"The type of the item"},
    {"name":"title","type":"text","min":1,"max":200,"nullable":true,"about":"The title"},
    {"name":"message","type":"text","min":1,"max":10000,"about":"The text"},
    {"name":"visibility","type":"text","words":["public","private"],"about":"Only secret keys, moderators and the sender see a private item"},
    {"name":"metadata","type":"value","about":"These keys are added or replaced; a key set to null is removed; other keys are kept"},
    {"name":"attachments","type":"list","item":{"name":"","type":"text","max":80},"max":10,"about":"The ids of the files of the post"},
  ],
}

export const feedbackVote: FormOperation = {
  name: "feedback.vote",
  summary: "Vote for an item",
  ids: 1,
  fields: [
    {"name":"member_id","type":"text","about":"Instead of the header `X-User-ID`"},
  ],
}

export const feedbackMerge: FormOperation = {
  name: "feedback.merge",
  summary: "Merge an item into another item, or undo a merge",
  ids: 1,
  fields: [
    {"name":"into","type":"text","nullable":true,"about":"The item that this item duplicates; null: it is no longer a duplicate","required":true},
  ],
}

export const feedbackStatusSet: FormOperation = {
  name: "feedback.status.set",
  summary: "Set the status of an item",
  ids: 1,
  fields: [
    {"name":"status","type":"text","words":["new","under_review","planned","in_progress","done","declined"],"about":"The status","required":true},
    {"name":"note","type":"text","max":2000,"about":"A note on the status in plain text"},
    {"name":"notify_voters","type":"boolean","about":"True sends a mail to the voters"},
  ],
}

export const feedbackChangeInBulk: FormOperation = {
  name: "feedback.changeInBulk",
  summary: "Set the status of many items, merge them or delete them",
  fields: [
    {"name":"operations","type":"list","item":{"name":"","type":"object","fields":[{"name":"id","type":"text","about":"The id of a feedback item","required":true},{"name":"action","type":"text","words":["set_status","merge","delete"],"about":"The act, which is done as by its own request","required":true},{"name":"status","type":"text","words":["new","under_review","planned","in_progress","done","declined"],"about":"The status"},{"name":"note","type":"text","max":2000,"about":"A note on the status in plain text"},{"name":"notify_voters","type":"boolean","about":"True sends a mail to the voters"},{"name":"into","type":"text","nullable":true,"about":"The item that this item duplicates; null: it is no longer a duplicate"}],"about":"`set_status` needs `status` and can have `note` and `notify_voters`; `merge` needs `into`"},"min":1,"max":100,"about":"The operations, in their order","required":true},
  ],
}

export const feedbackCommentsCreate: FormOperation = {
  name: "feedback.comments.create",
  summary: "Comment on an item",
  ids: 1,
  fields: [
    {"name":"content","type":"text","min":1,"max":10000,"about":"Markdown","required":true},
    {"name":"author_id","type":"text","about":"The member who writes"},
    {"name":"official","type":"boolean","about":"True for a comment in the name of the team"},
    {"name":"visibility","type":"text","words":["public","private"],"about":"`private`: seen by secret keys and moderators only"},
    {"name":"attachments","type":"list","item":{"name":"","type":"text","max":80},"max":10,"about":"The ids of the files of the post"},
    {"name":"member_id","type":"text","about":"Another name of `author_id`"},
  ],
}
