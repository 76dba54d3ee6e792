// Made by `node infra/sdk/main.ts` of the API's document: do not edit it. `npm run check` compares it.
import type { FormOperation } from '../data/form-fields.ts'

export const memberContentCreate: FormOperation = {
  name: "memberContent.create",
  summary: "Create a rule",
  fields: [
    {"name":"url_pattern","type":"text","min":1,"max":500,"required":true},
    {"name":"required_plans","type":"list","item":{"name":"","type":"text"},"max":100},
    {"name":"redirect_url","type":"text","max":2000,"nullable":true},
    {"name":"is_active","type":"boolean"},
    {"name":"features","type":"list","item":{"name":"","type":"text","min":1,"max":80},"max":20},
    {"name":"after_days","type":"integer","min":1,"max":36500,"nullable":true},
    {"name":"free_views","type":"integer","min":1,"max":100,"nullable":true},
  ],
}

export const memberContentUpdate: FormOperation = {
  name: "memberContent.update",
  summary: "Change a rule",
  takesIfMatch: true,
  ids: 1,
  fields: [
    {"name":"url_pattern","type":"text","min":1,"max":500},
    {"name":"required_plans","type":"list","item":{"name":"","type":"text"},"max":100},
    {"name":"redirect_url","type":"text","max":2000,"nullable":true},
    {"name":"is_active","type":"boolean"},
    {"name":"features","type":"list","item":{"name":"","type":"text","min":1,"max":80},"max":20},
    {"name":"after_days","type":"integer","min":1,"max":36500,"nullable":true},
    {"name":"free_views","type":"integer","min":1,"max":100,"nullable":true},
  ],
}

export const memberContentSimulate: FormOperation = {
  name: "memberContent.simulate",
  summary: "Simulate a new or changed rule",
  fields: [
    {"name":"rule_id","type":"text"},
    {"name":"url_pattern","type":"text","min":1,"max":500},
    {"name":"required_plans","type":"list","item":{"name":"","type":"text"},"max":100},
    {"name":"redirect_url","type":"text","max":2000,"nullable":true},
    {"name":"is_active","type":"boolean"},
    {"name":"features","type":"list","item":{"name":"","type":"text","min":1,"max":80},"max":20},
    {"name":"after_days","type":"integer","min":1,"max":36500,"nullable":true},
    {"name":"free_views","type":"integer","min":1,"max":100,"nullable":true},
  ],
}

export const memberContentCheck: FormOperation = {
  name: "memberContent.check",
  summary: "Check whether a page may be seen",
  fields: [
    {"name":"url","type":"text","min":1,"max":2048,"required":true},
    {"name":"member_id","type":"text"},
    {"name":"grant","type":"boolean"},
  ],
}

export const memberContentCheckBatch: FormOperation = {
  name: "memberContent.checkBatch",
  summary: "Check many pages at once",
  fields: [
    {"name":"checks","type":"list","item":{"name":"","type":"object","fields":[{"name":"url","type":"text","min":1,"max":2048,"required":true},{"name":"member_id","type":"text"},{"name":"grant","type":"boolean"}]},"min":1,"max":100,"required":true},
  ],
}

export const memberContentExplain: FormOperation = {
  name: "memberContent.explain",
  summary: "Explain whether a page may be seen",
  fields: [
    {"name":"url","type":"text","min":1,"max":2048,"required":true},
    {"name":"member_id","type":"text"},
  ],
}
