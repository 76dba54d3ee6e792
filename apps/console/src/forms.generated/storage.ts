// Made by `node infra/sdk/main.ts` of the API's document: do not edit it. `npm run check` compares it.
import type { FormOperation } from '../data/form-fields.ts'

export const storageFilesUpdate: FormOperation = {
  name: "storage.files.update",
  summary: "Change a file",
  takesIfMatch: true,
  ids: 1,
  fields: [
    {"name":"name","type":"text","min":1,"max":255,"about":"The name that people see; not a path"},
    {"name":"visibility","type":"text","words":["private","public"],"about":"`public`: everybody who knows the `url` can read the file; `private`: only keys and signed URLs can"},
  ],
}

export const storageFilesSignUrl: FormOperation = {
  name: "storage.files.signUrl",
  summary: "Create a signed URL",
  ids: 1,
  fields: [
    {"name":"expires_in","type":"integer","min":1,"max":604800,"default":3600,"about":"How many seconds the URL works"},
  ],
}

export const storageUploadsCreate: FormOperation = {
  name: "storage.uploads.create",
  summary: "Start an upload directly to the storage",
  fields: [
    {"name":"name","type":"text","min":1,"max":255,"about":"The name that people see; not a path","required":true},
    {"name":"size","type":"integer","min":0,"about":"The size in bytes; exactly this number of bytes is accepted","required":true},
    {"name":"content_type","type":"text","max":127,"about":"The URL accepts exactly this Content-Type","required":true},
    {"name":"visibility","type":"text","words":["private","public"],"default":"private","about":"The people who can see it"},
    {"name":"owner_id","type":"text","about":"The member to whom the file belongs"},
    {"name":"parts","type":"integer","min":1,"max":1000,"about":"The number of parts"},
  ],
}

export const storageUploadsComplete: FormOperation = {
  name: "storage.uploads.complete",
  summary: "Complete an upload",
  ids: 1,
  fields: [
    {"name":"parts","type":"list","item":{"name":"","type":"object","fields":[{"name":"part","type":"integer","min":1,"max":1000,"about":"The number of the part, from 1","required":true},{"name":"etag","type":"text","min":1,"max":200,"about":"The header `ETag` of the answer to the part, with or without quotation marks","required":true}]},"max":1000,"about":"Required for an upload in parts, and only then"},
  ],
}

export const storageFilesChangeInBulk: FormOperation = {
  name: "storage.files.changeInBulk",
  summary: "Change or delete many files",
  fields: [
    {"name":"operations","type":"list","item":{"name":"","type":"object","fields":[{"name":"id","type":"text","about":"The id of a file","required":true},{"name":"action","type":"text","words":["update","delete"],"about":"The act, which is done as by its own request","required":true},{"name":"visibility","type":"text","words":["private","public"],"about":"The new visibility; `update` needs it"}],"about":"`update` needs `visibility`"},"min":1,"max":100,"about":"The operations, in their order","required":true},
  ],
}
