// Made by `node infra/sdk/main.ts` of the API's document: do not edit it. `npm run check` compares it.
import type { FormOperation } from '../data/form-fields.ts'

export const memberContentCreate: FormOperation = {
  name: "memberContent.create",
  summary: "Create a rule",
  fields: [
    {"name":"url_pattern","type":"text","min":1,"max":500,"about":"A path like `/courses/**`, or a host and a path like `example.com/courses/**`","required":true},
    {"name":"required_plans","type":"list","item":{"name":"","type":"text","about":"The id of a plan"},"max":100,"about":"A member must be on one of these plans; empty: every active member may see the pages"},
    {"name":"redirect_url","type":"text","max":2000,"nullable":true,"about":"The address to which visitors are sent who may not see the page: an http(s) URL or a path"},
    {"name":"is_active","type":"boolean","about":"False: the rule protects nothing"},
    {"name":"features","type":"list","item":{"name":"","type":"text","min":1,"max":80},"max":20,"about":"Keys of features; a member must have all of them"},
    {"name":"after_days","type":"integer","min":1,"max":36500,"nullable":true,"about":"A member must have been a member for this number of days"},
    {"name":"free_views","type":"integer","min":1,"max":100,"nullable":true,"about":"The number of pages in a calendar month (UTC) that a member without access may see; each path counts once"},
  ],
}

export const memberContentUpdate: FormOperation = {
  name: "memberContent.update",
  summary: "Change a rule",
  takesIfMatch: true,
  ids: 1,
  fields: [
    {"name":"url_pattern","type":"text","min":1,"max":500,"about":"A path like `/courses/**`, or a host and a path like `example.com/courses/**`"},
    {"name":"required_plans","type":"list","item":{"name":"","type":"text","about":"The id of a plan"},"max":100,"about":"A member must be on one of these plans; empty: every active member may see the pages"},
    {"name":"redirect_url","type":"text","max":2000,"nullable":true,"about":"The address to which visitors are sent who may not see the page: an http(s) URL or a path"},
    {"name":"is_active","type":"boolean","about":"False: the rule protects nothing"},
    {"name":"features","type":"list","item":{"name":"","type":"text","min":1,"max":80},"max":20,"about":"Keys of features; a member must have all of them"},
    {"name":"after_days","type":"integer","min":1,"max":36500,"nullable":true,"about":"A member must have been a member for this number of days"},
    {"name":"free_views","type":"integer","min":1,"max":100,"nullable":true,"about":"The number of pages in a calendar month (UTC) that a member without access may see; each path counts once"},
  ],
}

export const memberContentSimulate: FormOperation = {
  name: "memberContent.simulate",
  summary: "Simulate a new or changed rule",
  fields: [
    {"name":"rule_id","type":"text","about":"The rule that changes"},
    {"name":"url_pattern","type":"text","min":1,"max":500,"about":"A path like `/courses/**`, or a host and a path like `example.com/courses/**`"},
    {"name":"required_plans","type":"list","item":{"name":"","type":"text","about":"The id of a plan"},"max":100,"about":"A member must be on one of these plans; empty: every active member may see the pages"},
    {"name":"redirect_url","type":"text","max":2000,"nullable":true,"about":"The address to which visitors are sent who may not see the page: an http(s) URL or a path"},
    {"name":"is_active","type":"boolean","about":"False: the rule protects nothing"},
    {"name":"features","type":"list","item":{"name":"","type":"text","min":1,"max":80},"max":20,"about":"Keys of features; a member must have all of them"},
    {"name":"after_days","type":"integer","min":1,"max":36500,"nullable":true,"about":"A member must have been a member for this number of days"},
    {"name":"free_views","type":"integer","min":1,"max":100,"nullable":true,"about":"The number of pages in a calendar month (UTC) that a member without access may see; each path counts once"},
  ],
}

export const memberContentCheck: FormOperation = {
  name: "memberContent.check",
  summary: "Check whether a page may be seen",
  fields: [
    {"name":"url","type":"text","min":1,"max":2048,"about":"An http(s) URL, or a path that starts with `/`; query and fragment are ignored","required":true},
    {"name":"member_id","type":"text","about":"The id of a member"},
    {"name":"grant","type":"boolean","about":"True asks for a signed grant"},
  ],
}

export const memberContentCheckBatch: FormOperation = {
  name: "memberContent.checkBatch",
  summary: "Check many pages at once",
  fields: [
    {"name":"checks","type":"list","item":{"name":"","type":"object","fields":[{"name":"url","type":"text","min":1,"max":2048,"about":"An http(s) URL, or a path that starts with `/`; query and fragment are ignored","required":true},{"name":"member_id","type":"text","about":"The id of a member"},{"name":"grant","type":"boolean","about":"True asks for a signed grant"}]},"min":1,"max":100,"about":"At most 100 checks","required":true},
  ],
}

export const memberContentExplain: FormOperation = {
  name: "memberContent.explain",
  summary: "Explain whether a page may be seen",
  fields: [
    {"name":"url","type":"text","min":1,"max":2048,"about":"An http(s) URL, or a path that starts with `/`; query and fragment are ignored","required":true},
    {"name":"member_id","type":"text","about":"The id of a member"},
  ],
}
