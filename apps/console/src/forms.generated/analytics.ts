// Made by `node infra/sdk/main.ts` of the API's document: do not edit it. `npm run check` compares it.
import type { FormOperation } from '../data/form-fields.ts'

export const analyticsTrack: FormOperation = {
  name: "analytics.track",
  summary: "Track an event",
  fields: [
    {"name":"event","type":"text","min":1,"max":120,"required":true},
    {"name":"url","type":"text","format":"uri","max":2048},
    {"name":"referrer","type":"text","max":2048},
    {"name":"properties","type":"value"},
    {"name":"user_id","type":"text","max":64},
    {"name":"session_id","type":"text","min":1,"max":128},
    {"name":"event_id","type":"text","min":1,"max":128},
    {"name":"timestamp","type":"text","format":"date-time"},
    {"name":"ip","type":"text","max":45},
    {"name":"user_agent","type":"text","max":512},
    {"name":"member_id","type":"text","max":64},
  ],
}

export const analyticsTrackPageview: FormOperation = {
  name: "analytics.trackPageview",
  summary: "Track a page view",
  fields: [
    {"name":"url","type":"text","format":"uri","max":2048,"required":true},
    {"name":"title","type":"text","max":300},
    {"name":"screen","type":"text"},
    {"name":"referrer","type":"text","max":2048},
    {"name":"properties","type":"value"},
    {"name":"user_id","type":"text","max":64},
    {"name":"session_id","type":"text","min":1,"max":128},
    {"name":"event_id","type":"text","min":1,"max":128},
    {"name":"timestamp","type":"text","format":"date-time"},
    {"name":"ip","type":"text","max":45},
    {"name":"user_agent","type":"text","max":512},
    {"name":"member_id","type":"text","max":64},
  ],
}

export const analyticsTrackBatch: FormOperation = {
  name: "analytics.trackBatch",
  summary: "Track many events at once",
  fields: [
    {"name":"events","type":"list","item":{"name":"","type":"object","fields":[{"name":"type","type":"text","words":["event","pageview"]},{"name":"event","type":"text","min":1,"max":120},{"name":"url","type":"text","format":"uri","max":2048},{"name":"title","type":"text","max":300},{"name":"screen","type":"text"},{"name":"referrer","type":"text","max":2048},{"name":"properties","type":"value"},{"name":"user_id","type":"text","max":64},{"name":"session_id","type":"text","min":1,"max":128},{"name":"event_id","type":"text","min":1,"max":128},{"name":"timestamp","type":"text","format":"date-time"},{"name":"ip","type":"text","max":45},{"name":"user_agent","type":"text","max":512},{"name":"member_id","type":"text","max":64}]},"min":1,"max":1000,"required":true},
  ],
}

export const analyticsQuery: FormOperation = {
  name: "analytics.query",
  summary: "Query metrics by dimensions",
  fields: [
    {"name":"metrics","type":"list","item":{"name":"","type":"text","words":["visitors","visits","pageviews","events","bounce_rate","visit_duration","views_per_visit","conversions","conversion_rate","members"]},"min":1,"max":10,"required":true},
    {"name":"dimensions","type":"list","item":{"name":"","type":"text","min":1,"max":130},"max":4},
    {"name":"filters","type":"list","item":{"name":"","type":"object","fields":[{"name":"dimension","type":"text","min":1,"max":130,"required":true},{"name":"operator","type":"text","words":["is","is_not","contains","not_contains","matches"]},{"name":"values","type":"list","item":{"name":"","type":"text","max":1000},"min":1,"max":100,"required":true}]},"max":20},
    {"name":"date_range","type":"object","fields":[{"name":"start_date","type":"text"},{"name":"end_date","type":"text"}]},
    {"name":"timezone","type":"text","min":1,"max":64},
    {"name":"order_by","type":"list","item":{"name":"","type":"object","fields":[{"name":"field","type":"text","min":1,"max":130,"required":true},{"name":"direction","type":"text","words":["asc","desc"]}]},"max":5},
    {"name":"compare","type":"text","words":["previous"]},
    {"name":"goal","type":"text","max":64},
    {"name":"bots","type":"text","words":["exclude","include","only"]},
    {"name":"limit","type":"integer","min":1,"max":1000},
  ],
}

export const analyticsFunnelGet: FormOperation = {
  name: "analytics.funnel.get",
  summary: "Get a funnel",
  fields: [
    {"name":"steps","type":"list","item":{"name":"","type":"object","fields":[{"name":"event","type":"text","min":1,"max":120},{"name":"page","type":"text","max":500}]},"min":2,"max":10,"required":true},
    {"name":"by","type":"text","words":["visitors","members"]},
    {"name":"date_range","type":"object","fields":[{"name":"start_date","type":"text"},{"name":"end_date","type":"text"}]},
    {"name":"timezone","type":"text","min":1,"max":64},
    {"name":"bots","type":"text","words":["exclude","include","only"]},
  ],
}

export const analyticsRetentionGet: FormOperation = {
  name: "analytics.retention.get",
  summary: "Get retention",
  fields: [
    {"name":"interval","type":"text","words":["day","week","month"]},
    {"name":"periods","type":"integer","min":1,"max":36},
    {"name":"end_date","type":"text"},
    {"name":"timezone","type":"text","min":1,"max":64},
  ],
}

export const analyticsGoalsCreate: FormOperation = {
  name: "analytics.goals.create",
  summary: "Create a goal",
  fields: [
    {"name":"name","type":"text","min":1,"max":120},
    {"name":"event","type":"text","min":1,"max":120},
    {"name":"page","type":"text","max":500},
  ],
}

export const analyticsGoalsUpdate: FormOperation = {
  name: "analytics.goals.update",
  summary: "Change a goal",
  takesIfMatch: true,
  ids: 1,
  fields: [
    {"name":"name","type":"text","min":1,"max":120},
    {"name":"event","type":"text","min":1,"max":120},
    {"name":"page","type":"text","max":500},
  ],
}

export const analyticsTrackSite: FormOperation = {
  name: "analytics.trackSite",
  summary: "Track events of a site",
  fields: [
    {"name":"key","type":"text","max":200},
    {"name":"sent_at","type":"text","format":"date-time"},
    {"name":"events","type":"list","item":{"name":"","type":"object","fields":[{"name":"type","type":"text","words":["event","pageview"]},{"name":"event","type":"text","min":1,"max":120},{"name":"url","type":"text","format":"uri","max":2048},{"name":"title","type":"text","max":300},{"name":"screen","type":"text"},{"name":"referrer","type":"text","max":2048},{"name":"properties","type":"value"},{"name":"user_id","type":"text","max":64},{"name":"session_id","type":"text","min":1,"max":128},{"name":"event_id","type":"text","min":1,"max":128},{"name":"timestamp","type":"text","format":"date-time"},{"name":"ip","type":"text","max":45},{"name":"user_agent","type":"text","max":512},{"name":"member_id","type":"text","max":64}]},"min":1,"max":1000,"required":true},
  ],
}
