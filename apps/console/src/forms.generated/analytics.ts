// Made by `node infra/sdk/main.ts` of the API's document: do not edit it. `npm run check` compares it.
import type { FormOperation } from '../data/form-fields.ts'

export const analyticsTrack: FormOperation = {
  name: "analytics.track",
  summary: "Track an event",
  fields: [
    {"name":"event","type":"text","min":1,"max":120,"about":"The name of the event","required":true},
    {"name":"url","type":"text","format":"uri","max":2048,"about":"The address of the page"},
    {"name":"referrer","type":"text","max":2048,"about":"The address of the previous page, as the browser sends it"},
    {"name":"properties","type":"value","about":"Free-form data: at most 50 keys, 16 KiB and 5 levels"},
    {"name":"user_id","type":"text","max":64,"about":"The member who caused the event"},
    {"name":"session_id","type":"text","min":1,"max":128,"about":"An id that you choose for the session"},
    {"name":"event_id","type":"text","min":1,"max":128,"about":"An id that you choose for the event"},
    {"name":"timestamp","type":"text","format":"date-time","about":"When the event happened: at most 7 days ago and at most 5 minutes ahead"},
    {"name":"ip","type":"text","max":45,"about":"The IP address of your visitor; allowed with a secret key only"},
    {"name":"user_agent","type":"text","max":512,"about":"The user agent of your visitor; allowed with a secret key only"},
    {"name":"member_id","type":"text","max":64,"about":"Another name of `user_id`"},
  ],
}

export const analyticsTrackPageview: FormOperation = {
  name: "analytics.trackPageview",
  summary: "Track a page view",
  fields: [
    {"name":"url","type":"text","format":"uri","max":2048,"about":"The address of the page","required":true},
    {"name":"title","type":"text","max":300,"about":"The title"},
    {"name":"screen","type":"text","about":"The size of the screen"},
    {"name":"referrer","type":"text","max":2048,"about":"The address of the previous page, as the browser sends it"},
    {"name":"properties","type":"value","about":"Free-form data: at most 50 keys, 16 KiB and 5 levels"},
    {"name":"user_id","type":"text","max":64,"about":"The member who caused the event"},
    {"name":"session_id","type":"text","min":1,"max":128,"about":"An id that you choose for the session"},
    {"name":"event_id","type":"text","min":1,"max":128,"about":"An id that you choose for the event"},
    {"name":"timestamp","type":"text","format":"date-time","about":"When the event happened: at most 7 days ago and at most 5 minutes ahead"},
    {"name":"ip","type":"text","max":45,"about":"The IP address of your visitor; allowed with a secret key only"},
    {"name":"user_agent","type":"text","max":512,"about":"The user agent of your visitor; allowed with a secret key only"},
    {"name":"member_id","type":"text","max":64,"about":"Another name of `user_id`"},
  ],
}

export const analyticsTrackBatch: FormOperation = {
  name: "analytics.trackBatch",
  summary: "Track many events at once",
  fields: [
    {"name":"events","type":"list","item":{"name":"","type":"object","fields":[{"name":"type","type":"text","words":["event","pageview"],"about":"An event needs `event`, a page view needs `url`"},{"name":"event","type":"text","min":1,"max":120,"about":"The name of the event"},{"name":"url","type":"text","format":"uri","max":2048,"about":"The address of the page"},{"name":"title","type":"text","max":300,"about":"The title"},{"name":"screen","type":"text","about":"The size of the screen"},{"name":"referrer","type":"text","max":2048,"about":"The address of the previous page, as the browser sends it"},{"name":"properties","type":"value","about":"Free-form data: at most 50 keys, 16 KiB and 5 levels"},{"name":"user_id","type":"text","max":64,"about":"The member who caused the event"},{"name":"session_id","type":"text","min":1,"max":128,"about":"An id that you choose for the session"},{"name":"event_id","type":"text","min":1,"max":128,"about":"An id that you choose for the event"},{"name":"timestamp","type":"text","format":"date-time","about":"When the event happened: at most 7 days ago and at most 5 minutes ahead"},{"name":"ip","type":"text","max":45,"about":"The IP address of your visitor; allowed with a secret key only"},{"name":"user_agent","type":"text","max":512,"about":"The user agent of your visitor; allowed with a secret key only"},{"name":"member_id","type":"text","max":64,"about":"Another name of `user_id`"}]},"min":1,"max":1000,"about":"The events, or how many there are","required":true},
  ],
}

export const analyticsQuery: FormOperation = {
  name: "analytics.query",
  summary: "Query metrics by dimensions",
  fields: [
    {"name":"metrics","type":"list","item":{"name":"","type":"text","words":["visitors","visits","pageviews","events","bounce_rate","visit_duration","views_per_visit","conversions","conversion_rate","members"]},"min":1,"max":10,"about":"The numbers that are asked for","required":true},
    {"name":"dimensions","type":"list","item":{"name":"","type":"text","min":1,"max":130},"max":4,"about":"Up to three dimensions of breakdowns, and one of `time:hour`, `time:day`, `time:week` and `time:month`"},
    {"name":"filters","type":"list","item":{"name":"","type":"object","fields":[{"name":"dimension","type":"text","min":1,"max":130,"about":"The dimension that is compared","required":true},{"name":"operator","type":"text","words":["is","is_not","contains","not_contains","matches"],"about":"`matches` takes the wildcards `*` and `**`"},{"name":"values","type":"list","item":{"name":"","type":"text","max":1000},"min":1,"max":100,"about":"The values","required":true}]},"max":20,"about":"The conditions that every counted event fits"},
    {"name":"date_range","type":"object","fields":[{"name":"start_date","type":"text","about":"The first day or moment"},{"name":"end_date","type":"text","about":"The last day or moment; a day is included as a whole"}],"about":"The days or moments that are counted"},
    {"name":"timezone","type":"text","min":1,"max":64,"about":"The IANA time zone of the dates"},
    {"name":"order_by","type":"list","item":{"name":"","type":"object","fields":[{"name":"field","type":"text","min":1,"max":130,"about":"A metric or a dimension of this query","required":true},{"name":"direction","type":"text","words":["asc","desc"],"about":"Default: `desc`"}]},"max":5,"about":"How the rows are sorted"},
    {"name":"compare","type":"text","words":["previous"],"about":"Also returns the values of the previous period of equal length"},
    {"name":"goal","type":"text","max":64,"about":"The goal whose conversions are counted"},
    {"name":"bots","type":"text","words":["exclude","include","only"],"about":"Whether bots are counted"},
    {"name":"limit","type":"integer","min":1,"max":1000,"about":"The largest number of groups in the answer"},
  ],
}

export const analyticsFunnelGet: FormOperation = {
  name: "analytics.funnel.get",
  summary: "Get a funnel",
  fields: [
    {"name":"steps","type":"list","item":{"name":"","type":"object","fields":[{"name":"event","type":"text","min":1,"max":120,"about":"The name or the kind of the event"},{"name":"page","type":"text","max":500,"about":"A pattern for the paths of page views; `*` and `**` are wildcards"}],"about":"Either an event or a page"},"min":2,"max":10,"about":"The steps, in their order","required":true},
    {"name":"by","type":"text","words":["visitors","members"],"about":"`visitors`: each visitor within one day; `members`: each member over the whole range"},
    {"name":"date_range","type":"object","fields":[{"name":"start_date","type":"text","about":"The first day or moment"},{"name":"end_date","type":"text","about":"The last day or moment; a day is included as a whole"}],"about":"The days or moments that are counted"},
    {"name":"timezone","type":"text","min":1,"max":64,"about":"The IANA time zone of the dates"},
    {"name":"bots","type":"text","words":["exclude","include","only"],"about":"Whether bots are counted"},
  ],
}

export const analyticsRetentionGet: FormOperation = {
  name: "analytics.retention.get",
  summary: "Get retention",
  fields: [
    {"name":"interval","type":"text","words":["day","week","month"],"about":"Default: `week`"},
    {"name":"periods","type":"integer","min":1,"max":36,"about":"The number of groups; the last one is the group of `end_date`"},
    {"name":"end_date","type":"text","about":"A day in the last period"},
    {"name":"timezone","type":"text","min":1,"max":64,"about":"The IANA time zone of the dates"},
  ],
}

export const analyticsGoalsCreate: FormOperation = {
  name: "analytics.goals.create",
  summary: "Create a goal",
  fields: [
    {"name":"name","type":"text","min":1,"max":120,"about":"The name"},
    {"name":"event","type":"text","min":1,"max":120,"about":"The name of the event that the goal counts"},
    {"name":"page","type":"text","max":500,"about":"A pattern for the paths of the page views that the goal counts; `*` matches any text within a segment, `**` matches any number of segments"},
  ],
}

export const analyticsGoalsUpdate: FormOperation = {
  name: "analytics.goals.update",
  summary: "Change a goal",
  takesIfMatch: true,
  ids: 1,
  fields: [
    {"name":"name","type":"text","min":1,"max":120,"about":"The name"},
    {"name":"event","type":"text","min":1,"max":120,"about":"The name of the event that the goal counts"},
    {"name":"page","type":"text","max":500,"about":"A pattern for the paths of the page views that the goal counts; `*` matches any text within a segment, `**` matches any number of segments"},
  ],
}

export const analyticsTrackSite: FormOperation = {
  name: "analytics.trackSite",
  summary: "Track events of a site",
  fields: [
    {"name":"key","type":"text","max":200,"about":"A public key with the capability `track`, in a body of `text/plain` only"},
    {"name":"sent_at","type":"text","format":"date-time","about":"The time of the browser's clock when it sends the body"},
    {"name":"events","type":"list","item":{"name":"","type":"object","fields":[{"name":"type","type":"text","words":["event","pageview"],"about":"An event needs `event`, a page view needs `url`"},{"name":"event","type":"text","min":1,"max":120,"about":"The name of the event"},{"name":"url","type":"text","format":"uri","max":2048,"about":"The address of the page"},{"name":"title","type":"text","max":300,"about":"The title"},{"name":"screen","type":"text","about":"The size of the screen"},{"name":"referrer","type":"text","max":2048,"about":"The address of the previous page, as the browser sends it"},{"name":"properties","type":"value","about":"Free-form data: at most 50 keys, 16 KiB and 5 levels"},{"name":"user_id","type":"text","max":64,"about":"The member who caused the event"},{"name":"session_id","type":"text","min":1,"max":128,"about":"An id that you choose for the session"},{"name":"event_id","type":"text","min":1,"max":128,"about":"An id that you choose for the event"},{"name":"timestamp","type":"text","format":"date-time","about":"When the event happened: at most 7 days ago and at most 5 minutes ahead"},{"name":"ip","type":"text","max":45,"about":"The IP address of your visitor; allowed with a secret key only"},{"name":"user_agent","type":"text","max":512,"about":"The user agent of your visitor; allowed with a secret key only"},{"name":"member_id","type":"text","max":64,"about":"Another name of `user_id`"}]},"min":1,"max":1000,"about":"The events, or how many there are","required":true},
  ],
}
