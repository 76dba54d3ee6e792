// Made by `node infra/sdk/main.ts` of the API's document: do not edit it. `npm run check` compares it.
import type { FormOperation } from '../data/form-fields.ts'

export const storageFilesUpdate: FormOperation = {
  name: "storage.files.update",
  summary: "Change a file",
  takesIfMatch: true,
  ids: 1,
  fields: [
    {"name":"name","type":"text","min":1,"max":255},
    {"name":"visibility","type":"text","words":["private","public"]},
  ],
}

export const storageFilesSignUrl: FormOperation = {
  name: "storage.files.signUrl",
  summary: "Create a signed URL",
  ids: 1,
  fields: [
    {"name":"expires_in","type":"integer","min":1,"max":604800,"default":3600},
  ],
}

export const storageUploadsCreate: FormOperation = {
  name: "storage.uploads.create",
  summary: "Start an upload directly to the storage",
  fields: [
    {"name":"name","type":"text","min":1,"max":255,"required":true},
    {"name":"size","type":"integer","min":0,"required":true},
    {"name":"content_type","type":"text","max":127,"required":true},
    {"name":"visibility","type":"text","words":["private","public"],"default":"private"},
    {"name":"owner_id","type":"text"},
    {"name":"parts","type":"integer","min":1,"max":1000},
  ],
}

export const storageUploadsComplete: FormOperation = {
  name: "storage.uploads.complete",
  summary: "Complete an upload",
  ids: 1,
  fields: [
    {"name":"parts","type":"list","item":{"name":"","type":"object","fields":[{"name":"part","type":"integer","min":1,"max":1000,"required":true},{"name":"etag","type":"text","min":1,"max":200,"required":true}]},"max":1000},
  ],
}

export const storageFilesChangeInBulk: FormOperation = {
  name: "storage.files.changeInBulk",
  summary: "Change or delete many files",
  fields: [
    {"name":"operations","type":"list","item":{"name":"","type":"object","fields":[{"name":"id","type":"text","required":true},{"name":"action","type":"text","words":["update","delete"],"required":true},{"name":"visibility","type":"text","words":["private","public"]}]},"min":1,"max":100,"required":true},
  ],
}
