// Made by `node infra/sdk/main.ts` of the API's document: do not edit it. `npm run check` compares it.
import type { FormOperation } from '../data/form-fields.ts'

export const lmsCoursesCreate: FormOperation = {
  name: "lms.courses.create",
  summary: "Create a course",
  fields: [
    {"name":"title","type":"text","min":1,"max":200,"about":"The title","required":true},
    {"name":"slug","type":"text","max":80,"about":"Lower-case words joined by hyphens; unique in the project"},
    {"name":"description","type":"text","max":10000,"about":"A text of some sentences"},
    {"name":"thumbnail_file_id","type":"text","nullable":true,"about":"The id of a file"},
    {"name":"category","type":"text","max":80,"about":"The category"},
    {"name":"level","type":"text","words":["beginner","intermediate","advanced"],"about":"The level of knowledge that the course expects"},
    {"name":"duration_hours","type":"number","min":0,"max":10000,"about":"The duration of the course in hours"},
    {"name":"price","type":"number","min":0,"max":99999999,"about":"The price in the currency, with at most as many decimals as the currency has; 0: members can enroll themselves"},
    {"name":"currency","type":"text","about":"The currency: an ISO 4217 code in lower case"},
    {"name":"access_days","type":"integer","min":1,"max":36500,"nullable":true,"about":"Access ends this number of days after the enrollment; null: it does not end"},
    {"name":"capacity","type":"integer","min":1,"max":1000000,"nullable":true,"about":"The largest number of members who are enrolled and have not completed the course; null: no limit"},
    {"name":"prerequisites","type":"list","item":{"name":"","type":"text","about":"The id of a course"},"max":20,"about":"Courses that a member must complete first"},
    {"name":"certificates","type":"boolean","about":"True: a member who completes the course gets a certificate"},
  ],
}

export const lmsCoursesUpdate: FormOperation = {
  name: "lms.courses.update",
  summary: "Change a course",
  takesIfMatch: true,
  ids: 1,
  fields: [
    {"name":"title","type":"text","min":1,"max":200,"about":"The title"},
    {"name":"slug","type":"text","max":80,"about":"Lower-case words joined by hyphens; unique in the project"},
    {"name":"description","type":"text","max":10000,"nullable":true,"about":"Null or an empty string removes the value"},
    {"name":"thumbnail_file_id","type":"text","nullable":true,"about":"The id of a file"},
    {"name":"category","type":"text","max":80,"nullable":true,"about":"Null or an empty string removes the value"},
    {"name":"level","type":"text","words":["beginner","intermediate","advanced"],"about":"The level of knowledge that the course expects"},
    {"name":"duration_hours","type":"number","min":0,"max":10000,"about":"The duration of the course in hours"},
    {"name":"price","type":"number","min":0,"max":99999999,"about":"The price in the currency, with at most as many decimals as the currency has; 0: members can enroll themselves"},
    {"name":"currency","type":"text","about":"The currency: an ISO 4217 code in lower case"},
    {"name":"access_days","type":"integer","min":1,"max":36500,"nullable":true,"about":"Access ends this number of days after the enrollment; null: it does not end"},
    {"name":"capacity","type":"integer","min":1,"max":1000000,"nullable":true,"about":"The largest number of members who are enrolled and have not completed the course; null: no limit"},
    {"name":"prerequisites","type":"list","item":{"name":"","type":"text","about":"The id of a course"},"max":20,"about":"Courses that a member must complete first"},
    {"name":"certificates","type":"boolean","about":"True: a member who completes the course gets a certificate"},
  ],
}

export const lmsModulesCreate: FormOperation = {
  name: "lms.modules.create",
  summary: "Add a module to a course",
  ids: 1,
  fields: [
    {"name":"title","type":"text","min":1,"max":200,"about":"The title","required":true},
    {"name":"description","type":"text","max":2000,"about":"A text of some sentences"},
  ],
}

export const lmsModulesUpdate: FormOperation = {
  name: "lms.modules.update",
  summary: "Change a module",
  takesIfMatch: true,
  ids: 1,
  fields: [
    {"name":"title","type":"text","min":1,"max":200,"about":"The title"},
    {"name":"description","type":"text","max":2000,"nullable":true,"about":"Null or an empty string removes the value"},
  ],
}

export const lmsCoursesReorder: FormOperation = {
  name: "lms.courses.reorder",
  summary: "Reorder the outline of a course",
  ids: 1,
  fields: [
    {"name":"modules","type":"list","item":{"name":"","type":"object","fields":[{"name":"id","type":"text","about":"The id of a module","required":true},{"name":"lessons","type":"list","item":{"name":"","type":"text","about":"The id of a lesson"},"max":500,"about":"The lessons, in their order","required":true}]},"max":100,"about":"The modules, in their order","required":true},
  ],
}

export const lmsLessonsCreate: FormOperation = {
  name: "lms.lessons.create",
  summary: "Add a lesson to a module",
  ids: 1,
  fields: [
    {"name":"title","type":"text","min":1,"max":200,"about":"The title","required":true},
    {"name":"type","type":"text","words":["video","text","quiz","file"],"about":"The type","required":true},
    {"name":"content","type":"text","max":50000,"about":"Markdown"},
    {"name":"url","type":"text","format":"uri","max":2048,"nullable":true,"about":"The address of the video or the file, if it is not a file of this project"},
    {"name":"file_id","type":"text","nullable":true,"about":"The id of a file"},
    {"name":"captions","type":"list","item":{"name":"","type":"object","fields":[{"name":"file_id","type":"text","about":"The id of a file","required":true},{"name":"language","type":"text","max":35,"about":"The language as a BCP 47 tag","required":true},{"name":"label","type":"text","min":1,"max":200,"about":"The words that people see","required":true}]},"max":20,"about":"Subtitles of a video; each is a file"},
    {"name":"duration_minutes","type":"number","min":0,"max":100000,"nullable":true,"about":"The duration in minutes"},
    {"name":"completion_rule","type":"text","words":["view","percent","quiz","manual"],"about":"The act that completes the lesson: `view`: the member says so; `percent`: 90 % of it; `quiz`: its quiz is passed; `manual`: a secret key says so"},
    {"name":"required","type":"boolean","about":"False: the course is complete without this lesson"},
    {"name":"drip_days","type":"integer","min":0,"max":3650,"about":"The lesson opens this number of days after the enrollment"},
  ],
}

export const lmsLessonsUpdate: FormOperation = {
  name: "lms.lessons.update",
  summary: "Change a lesson",
  takesIfMatch: true,
  ids: 1,
  fields: [
    {"name":"title","type":"text","min":1,"max":200,"about":"The title"},
    {"name":"content","type":"text","max":50000,"nullable":true,"about":"Markdown"},
    {"name":"url","type":"text","format":"uri","max":2048,"nullable":true,"about":"The address of the video or the file, if it is not a file of this project"},
    {"name":"file_id","type":"text","nullable":true,"about":"The id of a file"},
    {"name":"captions","type":"list","item":{"name":"","type":"object","fields":[{"name":"file_id","type":"text","about":"The id of a file","required":true},{"name":"language","type":"text","max":35,"about":"The language as a BCP 47 tag","required":true},{"name":"label","type":"text","min":1,"max":200,"about":"The words that people see","required":true}]},"max":20,"about":"Subtitles of a video; each is a file"},
    {"name":"duration_minutes","type":"number","min":0,"max":100000,"nullable":true,"about":"The duration in minutes"},
    {"name":"completion_rule","type":"text","words":["view","percent","quiz","manual"],"about":"The act that completes the lesson: `view`: the member says so; `percent`: 90 % of it; `quiz`: its quiz is passed; `manual`: a secret key says so"},
    {"name":"required","type":"boolean","about":"False: the course is complete without this lesson"},
    {"name":"drip_days","type":"integer","min":0,"max":3650,"about":"The lesson opens this number of days after the enrollment"},
  ],
}

export const lmsEnrollmentsCreate: FormOperation = {
  name: "lms.enrollments.create",
  summary: "Enroll a member in a course",
  fields: [
    {"name":"course_id","type":"text","about":"The id of a course","required":true},
    {"name":"student_id","type":"text","about":"The id of the member who learns"},
    {"name":"expires_at","type":"text","format":"date-time","nullable":true,"about":"The time when the access ends"},
    {"name":"member_id","type":"text","about":"Another name of `student_id`"},
  ],
}

export const lmsEnrollmentsUpdate: FormOperation = {
  name: "lms.enrollments.update",
  summary: "Change an enrollment",
  takesIfMatch: true,
  ids: 1,
  fields: [
    {"name":"expires_at","type":"text","format":"date-time","nullable":true,"about":"When the access ends; null: it does not end"},
    {"name":"status","type":"text","words":["active","canceled"],"about":"`active` reopens an enrollment that was canceled or has expired"},
  ],
}

export const lmsProgressRecord: FormOperation = {
  name: "lms.progress.record",
  summary: "Record progress in a lesson",
  fields: [
    {"name":"course_id","type":"text","about":"The id of a course","required":true},
    {"name":"lesson_id","type":"text","about":"The id of a lesson","required":true},
    {"name":"student_id","type":"text","about":"The id of the member who learns"},
    {"name":"completed","type":"boolean","about":"True: the lesson is completed"},
    {"name":"progress_percentage","type":"number","min":0,"max":100,"about":"How much is done, in percent"},
    {"name":"last_position","type":"number","min":0,"max":10000000,"about":"The position in a video, in seconds"},
    {"name":"reset","type":"boolean","about":"True starts the lesson again; without it progress never decreases"},
    {"name":"member_id","type":"text","about":"Another name of `student_id`"},
  ],
}

export const lmsProgressRecordBatch: FormOperation = {
  name: "lms.progress.recordBatch",
  summary: "Record progress in many lessons",
  fields: [
    {"name":"items","type":"list","item":{"name":"","type":"object","fields":[{"name":"course_id","type":"text","about":"The id of a course","required":true},{"name":"lesson_id","type":"text","about":"The id of a lesson","required":true},{"name":"student_id","type":"text","about":"The id of the member who learns"},{"name":"completed","type":"boolean","about":"True: the lesson is completed"},{"name":"progress_percentage","type":"number","min":0,"max":100,"about":"How much is done, in percent"},{"name":"last_position","type":"number","min":0,"max":10000000,"about":"The position in a video, in seconds"},{"name":"reset","type":"boolean","about":"True starts the lesson again; without it progress never decreases"},{"name":"member_id","type":"text","about":"Another name of `student_id`"}]},"min":1,"max":100,"about":"The items","required":true},
  ],
}

export const lmsLessonsQuizSet: FormOperation = {
  name: "lms.lessons.quiz.set",
  summary: "Write the quiz of a lesson",
  ids: 1,
  fields: [
    {"name":"pass_percentage","type":"integer","min":0,"max":100,"about":"The percentage of points that passes"},
    {"name":"max_attempts","type":"integer","min":1,"max":1000,"nullable":true,"about":"The largest number of attempts; null: no limit"},
    {"name":"time_limit_seconds","type":"integer","min":5,"max":604800,"nullable":true,"about":"The time for an attempt in seconds; null: no limit"},
    {"name":"shuffle","type":"boolean","about":"True: each attempt has the questions in another order"},
    {"name":"reveal_answers","type":"boolean","nullable":true,"about":"When the correct answers are shown"},
    {"name":"pools","type":"list","item":{"name":"","type":"object","fields":[{"name":"name","type":"text","about":"The name of a pool","required":true},{"name":"draw","type":"integer","min":1,"max":200,"about":"The number of questions that are drawn from the pool","required":true}]},"max":20,"about":"Sets of questions; some of each set are drawn"},
    {"name":"questions","type":"list","item":{"name":"","type":"object","fields":[{"name":"id","type":"text","about":"An id that you choose","required":true},{"name":"type","type":"text","words":["single","multiple","text","number"],"about":"The type","required":true},{"name":"text","type":"text","min":1,"max":2000,"about":"The text","required":true},{"name":"points","type":"integer","min":1,"max":100,"about":"The points for a correct answer"},{"name":"pool","type":"text","about":"The name of a pool"},{"name":"options","type":"list","item":{"name":"","type":"object","fields":[{"name":"id","type":"text","about":"An id that you choose","required":true},{"name":"text","type":"text","min":1,"max":2000,"about":"The text","required":true}]},"min":2,"max":20,"about":"For `single` and `multiple`"},{"name":"correct_options","type":"list","item":{"name":"","type":"text","about":"An id that you choose"},"min":1,"max":20,"about":"For `single` the correct option, for `multiple` all correct options"},{"name":"accepted_texts","type":"list","item":{"name":"","type":"text","min":1,"max":200},"min":1,"max":50,"about":"For `text`: accepted answers"},{"name":"correct_number","type":"number","min":-1000000000000000,"max":1000000000000000,"about":"The number that is right"},{"name":"tolerance","type":"number","min":0,"max":1000000000000000,"about":"For `number`: the largest difference from the correct number that is accepted"},{"name":"explanation","type":"text","max":2000,"about":"Why an answer is right"}]},"min":1,"max":200,"about":"The questions","required":true},
  ],
}

export const lmsAttemptsBegin: FormOperation = {
  name: "lms.attempts.begin",
  summary: "Begin an attempt at a quiz",
  ids: 1,
  fields: [
    {"name":"member_id","type":"text","about":"Instead of the header `X-User-ID`"},
  ],
}

export const lmsAttemptsSubmit: FormOperation = {
  name: "lms.attempts.submit",
  summary: "Submit an attempt at a quiz",
  ids: 1,
  fields: [
    {"name":"answers","type":"list","item":{"name":"","type":"object","fields":[{"name":"question_id","type":"text","about":"An id that you choose","required":true},{"name":"options","type":"list","item":{"name":"","type":"text","about":"An id that you choose"},"max":20,"about":"The options"},{"name":"text","type":"text","max":2000,"about":"The text"},{"name":"number","type":"number","min":-1000000000000000,"max":1000000000000000,"about":"The number"}]},"max":200,"about":"The answers, one for each question","required":true},
    {"name":"member_id","type":"text","about":"Instead of the header `X-User-ID`"},
  ],
}

export const lmsCoursesRate: FormOperation = {
  name: "lms.courses.rate",
  summary: "Rate a course",
  ids: 1,
  fields: [
    {"name":"rating","type":"integer","min":1,"max":5,"about":"The number of stars","required":true},
    {"name":"text","type":"text","max":5000,"about":"The text"},
    {"name":"member_id","type":"text","about":"Instead of the header `X-User-ID`"},
  ],
}

export const lmsCertificatesRevoke: FormOperation = {
  name: "lms.certificates.revoke",
  summary: "Revoke a certificate",
  ids: 1,
  fields: [
    {"name":"reason","type":"text","min":1,"max":500,"about":"Why"},
  ],
}
