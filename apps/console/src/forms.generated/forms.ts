// Made by `node infra/sdk/main.ts` of the API's document: do not edit it. `npm run check` compares it.
import type { FormOperation } from '../data/form-fields.ts'

export const formsCreate: FormOperation = {
  name: "forms.create",
  summary: "Create a form",
  fields: [
    {"name":"name","type":"text","min":1,"max":200,"about":"The name","required":true},
    {"name":"description","type":"text","max":2000,"about":"A text of some sentences"},
    {"name":"type","type":"text","words":["signup","contact","feedback","custom"],"default":"custom","about":"The purpose of the form"},
    {"name":"fields","type":"list","item":{"name":"","type":"object","fields":[{"name":"id","type":"text","max":64,"about":"The id is unique in the form","required":true},{"name":"type","type":"text","words":["text","textarea","email","url","phone","number","date","select","multi_select","checkbox","radio","rating","file","password","hidden","consent","section"],"about":"The type","required":true},{"name":"label","type":"text","min":1,"max":500,"about":"The words that people see","required":true},{"name":"required","type":"boolean","default":false,"about":"True: the field needs a value while it is shown"},{"name":"placeholder","type":"text","max":500,"about":"The text in the empty field"},{"name":"help_text","type":"text","max":2000,"about":"The text below the field"},{"name":"default","type":"value","about":"The value if none is submitted"},{"name":"options","type":"list","item":{"name":"","type":"object","fields":[{"name":"value","type":"text","min":1,"max":200,"about":"The value that is submitted","required":true},{"name":"label","type":"text","max":200,"about":"The text that people read"}]},"min":1,"max":200,"about":"The options of a select, multi_select or radio field"},{"name":"validation","type":"object","fields":[{"name":"min","type":"value","about":"The smallest number, the earliest date, or the smallest number of choices"},{"name":"max","type":"value","about":"The largest number or rating (default 5), the latest date, or the largest number of choices"},{"name":"min_length","type":"integer","min":0,"max":100000,"about":"The smallest number of characters"},{"name":"max_length","type":"integer","min":0,"max":100000,"about":"The largest number of characters"},{"name":"pattern","type":"text","min":1,"max":500,"about":"A regular expression in RE2 syntax that must match the whole text"},{"name":"allowed_types","type":"list","item":{"name":"","type":"text","max":127},"min":1,"max":50,"about":"Allowed file types, like `image/*`; the type of a file is detected from its bytes"},{"name":"max_size","type":"integer","min":1,"max":1099511627776,"about":"The largest file in bytes"}],"about":"The rules for a value"},{"name":"visible_if","type":"object","fields":[{"name":"match","type":"text","words":["all","any"],"default":"all","about":"Whether all conditions must fit, or any"},{"name":"conditions","type":"list","item":{"name":"","type":"object","fields":[{"name":"field","type":"text","max":64,"about":"The id of a field that comes before this one","required":true},{"name":"operator","type":"text","words":["equals","not_equals","contains","not_contains","greater_than","less_than","is_empty","is_not_empty"],"about":"How the value is compared","required":true},{"name":"value","type":"value","about":"The value to compare with; not allowed with `is_empty` and `is_not_empty`"}]},"min":1,"max":20,"about":"The conditions","required":true}],"about":"When the field is shown"}]},"max":200,"about":"The fields, in the order in which they are shown"},
    {"name":"settings","type":"object","fields":[{"name":"submit_button_text","type":"text","max":200,"about":"The words on the button"},{"name":"success_message","type":"text","max":2000,"about":"The text that people read after they have sent the form"},{"name":"redirect_url","type":"text","format":"uri","max":2048,"about":"The address to which the page leads after a submission"},{"name":"spam","type":"object","fields":[{"name":"honeypot","type":"text","max":64,"about":"The name of an input that the page hides from people"},{"name":"min_seconds","type":"integer","min":0,"max":3600,"default":0,"about":"A submission is spam if it comes in less than this number of seconds after the form was read, or without the token of the form"},{"name":"duplicate_seconds","type":"integer","min":0,"max":604800,"default":60,"about":"A submission is spam if the same sender submits the same values again within this number of seconds; 0 turns this off"}],"about":"How spam is found"},{"name":"signup","type":"object","fields":[{"name":"email_field","type":"text","max":64,"about":"A required field of type email","required":true},{"name":"password_field","type":"text","max":64,"about":"A required field of type password"},{"name":"full_name_field","type":"text","max":64,"about":"A field of type text"}],"about":"For forms of type `signup`: which fields give the values of the member"}],"about":"The settings"},
  ],
}

export const formsUpdate: FormOperation = {
  name: "forms.update",
  summary: "Change a form",
  takesIfMatch: true,
  ids: 1,
  fields: [
    {"name":"name","type":"text","min":1,"max":200,"about":"The name"},
    {"name":"description","type":"text","max":2000,"nullable":true,"about":"Null or an empty string removes the value"},
    {"name":"type","type":"text","words":["signup","contact","feedback","custom"],"about":"The purpose of the form; a `signup` form creates members"},
    {"name":"fields","type":"list","item":{"name":"","type":"object","fields":[{"name":"id","type":"text","max":64,"about":"The id is unique in the form","required":true},{"name":"type","type":"text","words":["text","textarea","email","url","phone","number","date","select","multi_select","checkbox","radio","rating","file","password","hidden","consent","section"],"about":"The type","required":true},{"name":"label","type":"text","min":1,"max":500,"about":"The words that people see","required":true},{"name":"required","type":"boolean","default":false,"about":"True: the field needs a value while it is shown"},{"name":"placeholder","type":"text","max":500,"about":"The text in the empty field"},{"name":"help_text","type":"text","max":2000,"about":"The text below the field"},{"name":"default","type":"value","about":"The value if none is submitted"},{"name":"options","type":"list","item":{"name":"","type":"object","fields":[{"name":"value","type":"text","min":1,"max":200,"about":"The value that is submitted","required":true},{"name":"label","type":"text","max":200,"about":"The text that people read"}]},"min":1,"max":200,"about":"The options of a select, multi_select or radio field"},{"name":"validation","type":"object","fields":[{"name":"min","type":"value","about":"The smallest number, the earliest date, or the smallest number of choices"},{"name":"max","type":"value","about":"The largest number or rating (default 5), the latest date, or the largest number of choices"},{"name":"min_length","type":"integer","min":0,"max":100000,"about":"The smallest number of characters"},{"name":"max_length","type":"integer","min":0,"max":100000,"about":"The largest number of characters"},{"name":"pattern","type":"text","min":1,"max":500,"about":"A regular expression in RE2 syntax that must match the whole text"},{"name":"allowed_types","type":"list","item":{"name":"","type":"text","max":127},"min":1,"max":50,"about":"Allowed file types, like `image/*`; the type of a file is detected from its bytes"},{"name":"max_size","type":"integer","min":1,"max":1099511627776,"about":"The largest file in bytes"}],"about":"The rules for a value"},{"name":"visible_if","type":"object","fields":[{"name":"match","type":"text","words":["all","any"],"default":"all","about":"Whether all conditions must fit, or any"},{"name":"conditions","type":"list","item":{"name":"","type":"object","fields":[{"name":"field","type":"text","max":64,"about":"The id of a field that comes before this one","required":true},{"name":"operator","type":"text","words":["equals","not_equals","contains","not_contains","greater_than","less_than","is_empty","is_not_empty"],"about":"How the value is compared","required":true},{"name":"value","type":"value","about":"The value to compare with; not allowed with `is_empty` and `is_not_empty`"}]},"min":1,"max":20,"about":"The conditions","required":true}],"about":"When the field is shown"}]},"max":200,"about":"The fields, in the order in which they are shown"},
    {"name":"settings","type":"object","fields":[{"name":"submit_button_text","type":"text","max":200,"nullable":true,"about":"The words on the button"},{"name":"success_message","type":"text","max":2000,"nullable":true,"about":"The text that people read after they have sent the form"},{"name":"redirect_url","type":"text","format":"uri","max":2048,"nullable":true,"about":"The address to which the page leads after a submission"},{"name":"spam","type":"object","fields":[{"name":"honeypot","type":"text","max":64,"about":"The name of an input that the page hides from people"},{"name":"min_seconds","type":"integer","min":0,"max":3600,"default":0,"about":"A submission is spam if it comes in less than this number of seconds after the form was read, or without the token of the form"},{"name":"duplicate_seconds","type":"integer","min":0,"max":604800,"default":60,"about":"A submission is spam if the same sender submits the same values again within this number of seconds; 0 turns this off"}],"about":"How spam is found","nullable":true},{"name":"signup","type":"object","fields":[{"name":"email_field","type":"text","max":64,"about":"A required field of type email","required":true},{"name":"password_field","type":"text","max":64,"about":"A required field of type password"},{"name":"full_name_field","type":"text","max":64,"about":"A field of type text"}],"about":"For forms of type `signup`: which fields give the values of the member","nullable":true}],"about":"These settings are changed; a setting set to null is removed; other settings are kept"},
  ],
}

export const formsSubmissionsCreate: FormOperation = {
  name: "forms.submissions.create",
  summary: "Submit a form",
  ids: 1,
  fields: [
    {"name":"data","type":"value","about":"Values by field id","required":true},
    {"name":"member_id","type":"text","about":"The member who submits the form; with a secret key only"},
    {"name":"token","type":"text","max":200,"about":"The token of the form as it was read"},
  ],
}

export const formsSubmissionsUpdate: FormOperation = {
  name: "forms.submissions.update",
  summary: "Mark a submission as spam or as not spam",
  takesIfMatch: true,
  ids: 2,
  fields: [
    {"name":"status","type":"text","words":["received","spam"],"about":"The new status of the submission","required":true},
  ],
}

export const formsExportsCreate: FormOperation = {
  name: "forms.exports.create",
  summary: "Export the submissions of a form in the background",
  ids: 1,
  fields: [
    {"name":"format","type":"text","words":["csv","json"],"default":"csv","about":"`csv` by RFC 4180, or `json`: one submission in each line, as the API shows it"},
    {"name":"bom","type":"boolean","default":false,"about":"True starts the CSV with a byte order mark, which some programs need to detect UTF-8"},
    {"name":"raw","type":"boolean","default":false,"about":"True leaves cells and headers that start with `=`, `+`, `-`, `@`, a tab or a carriage return as they are"},
    {"name":"status","type":"text","words":["received","spam"],"default":"received","about":"Only submissions with this status"},
    {"name":"start_date","type":"text","about":"Only records that were created at this time or later: a timestamp with its offset, or a date, which begins at 00:00 UTC"},
    {"name":"end_date","type":"text","about":"Only records that were created at this time or earlier: a timestamp with its offset, or a date, up to the end of that day"},
    {"name":"search","type":"text","min":1,"max":200,"about":"Only records with this text as a part of any value in `data`"},
    {"name":"member_id","type":"text","about":"Only submissions of this member"},
  ],
}
