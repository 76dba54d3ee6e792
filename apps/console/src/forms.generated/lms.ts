// Made by `node infra/sdk/main.ts` of the API's document: do not edit it. `npm run check` compares it.
import type { FormOperation } from '../data/form-fields.ts'

export const lmsCoursesCreate: FormOperation = {
  name: "lms.courses.create",
  summary: "Create a course",
  fields: [
    {"name":"title","type":"text","min":1,"max":200,"required":true},
    {"name":"slug","type":"text","max":80},
    {"name":"description","type":"text","max":10000},
    {"name":"thumbnail_file_id","type":"text","nullable":true},
    {"name":"category","type":"text","max":80},
    {"name":"level","type":"text","words":["beginner","intermediate","advanced"]},
    {"name":"duration_hours","type":"number","min":0,"max":10000},
    {"name":"price","type":"number","min":0,"max":99999999},
    {"name":"currency","type":"text"},
    {"name":"access_days","type":"integer","min":1,"max":36500,"nullable":true},
    {"name":"capacity","type":"integer","min":1,"max":1000000,"nullable":true},
    {"name":"prerequisites","type":"list","item":{"name":"","type":"text"},"max":20},
    {"name":"certificates","type":"boolean"},
  ],
}

export const lmsCoursesUpdate: FormOperation = {
  name: "lms.courses.update",
  summary: "Change a course",
  takesIfMatch: true,
  ids: 1,
  fields: [
    {"name":"title","type":"text","min":1,"max":200},
    {"name":"slug","type":"text","max":80},
    {"name":"description","type":"text","max":10000,"nullable":true},
    {"name":"thumbnail_file_id","type":"text","nullable":true},
    {"name":"category","type":"text","max":80,"nullable":true},
    {"name":"level","type":"text","words":["beginner","intermediate","advanced"]},
    {"name":"duration_hours","type":"number","min":0,"max":10000},
    {"name":"price","type":"number","min":0,"max":99999999},
    {"name":"currency","type":"text"},
    {"name":"access_days","type":"integer","min":1,"max":36500,"nullable":true},
    {"name":"capacity","type":"integer","min":1,"max":1000000,"nullable":true},
    {"name":"prerequisites","type":"list","item":{"name":"","type":"text"},"max":20},
    {"name":"certificates","type":"boolean"},
  ],
}

export const lmsModulesCreate: FormOperation = {
  name: "lms.modules.create",
  summary: "Add a module to a course",
  ids: 1,
  fields: [
    {"name":"title","type":"text","min":1,"max":200,"required":true},
    {"name":"description","type":"text","max":2000},
  ],
}

export const lmsModulesUpdate: FormOperation = {
  name: "lms.modules.update",
  summary: "Change a module",
  takesIfMatch: true,
  ids: 1,
  fields: [
    {"name":"title","type":"text","min":1,"max":200},
    {"name":"description","type":"text","max":2000,"nullable":true},
  ],
}

export const lmsCoursesReorder: FormOperation = {
  name: "lms.courses.reorder",
  summary: "Reorder the outline of a course",
  ids: 1,
  fields: [
    {"name":"modules","type":"list","item":{"name":"","type":"object","fields":[{"name":"id","type":"text","required":true},{"name":"lessons","type":"list","item":{"name":"","type":"text"},"max":500,"required":true}]},"max":100,"required":true},
  ],
}

export const lmsLessonsCreate: FormOperation = {
  name: "lms.lessons.create",
  summary: "Add a lesson to a module",
  ids: 1,
  fields: [
    {"name":"title","type":"text","min":1,"max":200,"required":true},
    {"name":"type","type":"text","words":["video","text","quiz","file"],"required":true},
    {"name":"content","type":"text","max":50000},
    {"name":"url","type":"text","format":"uri","max":2048,"nullable":true},
    {"name":"file_id","type":"text","nullable":true},
    {"name":"captions","type":"list","item":{"name":"","type":"object","fields":[{"name":"file_id","type":"text","required":true},{"name":"language","type":"text","max":35,"required":true},{"name":"label","type":"text","min":1,"max":200,"required":true}]},"max":20},
    {"name":"duration_minutes","type":"number","min":0,"max":100000,"nullable":true},
    {"name":"completion_rule","type":"text","words":["view","percent","quiz","manual"]},
    {"name":"required","type":"boolean"},
    {"name":"drip_days","type":"integer","min":0,"max":3650},
  ],
}

export const lmsLessonsUpdate: FormOperation = {
  name: "lms.lessons.update",
  summary: "Change a lesson",
  takesIfMatch: true,
  ids: 1,
  fields: [
    {"name":"title","type":"text","min":1,"max":200},
    {"name":"content","type":"text","max":50000,"nullable":true},
    {"name":"url","type":"text","format":"uri","max":2048,"nullable":true},
    {"name":"file_id","type":"text","nullable":true},
    {"name":"captions","type":"list","item":{"name":"","type":"object","fields":[{"name":"file_id","type":"text","required":true},{"name":"language","type":"text","max":35,"required":true},{"name":"label","type":"text","min":1,"max":200,"required":true}]},"max":20},
    {"name":"duration_minutes","type":"number","min":0,"max":100000,"nullable":true},
    {"name":"completion_rule","type":"text","words":["view","percent","quiz","manual"]},
    {"name":"required","type":"boolean"},
    {"name":"drip_days","type":"integer","min":0,"max":3650},
  ],
}

export const lmsEnrollmentsCreate: FormOperation = {
  name: "lms.enrollments.create",
  summary: "Enroll a member in a course",
  fields: [
    {"name":"course_id","type":"text","required":true},
    {"name":"student_id","type":"text"},
    {"name":"expires_at","type":"text","format":"date-time","nullable":true},
    {"name":"member_id","type":"text"},
  ],
}

export const lmsEnrollmentsUpdate: FormOperation = {
  name: "lms.enrollments.update",
  summary: "Change an enrollment",
  takesIfMatch: true,
  ids: 1,
  fields: [
    {"name":"expires_at","type":"text","format":"date-time","nullable":true},
    {"name":"status","type":"text","words":["active","canceled"]},
  ],
}

export const lmsProgressRecord: FormOperation = {
  name: "lms.progress.record",
  summary: "Record progress in a lesson",
  fields: [
    {"name":"course_id","type":"text","required":true},
    {"name":"lesson_id","type":"text","required":true},
    {"name":"student_id","type":"text"},
    {"name":"completed","type":"boolean"},
    {"name":"progress_percentage","type":"number","min":0,"max":100},
    {"name":"last_position","type":"number","min":0,"max":10000000},
    {"name":"reset","type":"boolean"},
    {"name":"member_id","type":"text"},
  ],
}

export const lmsProgressRecordBatch: FormOperation = {
  name: "lms.progress.recordBatch",
  summary: "Record progress in many lessons",
  fields: [
    {"name":"items","type":"list","item":{"name":"","type":"object","fields":[{"name":"course_id","type":"text","required":true},{"name":"lesson_id","type":"text","required":true},{"name":"student_id","type":"text"},{"name":"completed","type":"boolean"},{"name":"progress_percentage","type":"number","min":0,"max":100},{"name":"last_position","type":"number","min":0,"max":10000000},{"name":"reset","type":"boolean"},{"name":"member_id","type":"text"}]},"min":1,"max":100,"required":true},
  ],
}

export const lmsLessonsQuizSet: FormOperation = {
  name: "lms.lessons.quiz.set",
  summary: "Write the quiz of a lesson",
  ids: 1,
  fields: [
    {"name":"pass_percentage","type":"integer","min":0,"max":100},
    {"name":"max_attempts","type":"integer","min":1,"max":1000,"nullable":true},
    {"name":"time_limit_seconds","type":"integer","min":5,"max":604800,"nullable":true},
    {"name":"shuffle","type":"boolean"},
    {"name":"reveal_answers","type":"boolean","nullable":true},
    {"name":"pools","type":"list","item":{"name":"","type":"object","fields":[{"name":"name","type":"text","required":true},{"name":"draw","type":"integer","min":1,"max":200,"required":true}]},"max":20},
    {"name":"questions","type":"list","item":{"name":"","type":"object","fields":[{"name":"id","type":"text","required":true},{"name":"type","type":"text","words":["single","multiple","text","number"],"required":true},{"name":"text","type":"text","min":1,"max":2000,"required":true},{"name":"points","type":"integer","min":1,"max":100},{"name":"pool","type":"text"},{"name":"options","type":"list","item":{"name":"","type":"object","fields":[{"name":"id","type":"text","required":true},{"name":"text","type":"text","min":1,"max":2000,"required":true}]},"min":2,"max":20},{"name":"correct_options","type":"list","item":{"name":"","type":"text"},"min":1,"max":20},{"name":"accepted_texts","type":"list","item":{"name":"","type":"text","min":1,"max":200},"min":1,"max":50},{"name":"correct_number","type":"number","min":-1000000000000000,"max":1000000000000000},{"name":"tolerance","type":"number","min":0,"max":1000000000000000},{"name":"explanation","type":"text","max":2000}]},"min":1,"max":200,"required":true},
  ],
}

export const lmsAttemptsBegin: FormOperation = {
  name: "lms.attempts.begin",
  summary: "Begin an attempt at a quiz",
  ids: 1,
  fields: [
    {"name":"member_id","type":"text"},
  ],
}

export const lmsAttemptsSubmit: FormOperation = {
  name: "lms.attempts.submit",
  summary: "Submit an attempt at a quiz",
  ids: 1,
  fields: [
    {"name":"answers","type":"list","item":{"name":"","type":"object","fields":[{"name":"question_id","type":"text","required":true},{"name":"options","type":"list","item":{"name":"","type":"text"},"max":20},{"name":"text","type":"text","max":2000},{"name":"number","type":"number","min":-1000000000000000,"max":1000000000000000}]},"max":200,"required":true},
    {"name":"member_id","type":"text"},
  ],
}

export const lmsCoursesRate: FormOperation = {
  name: "lms.courses.rate",
  summary: "Rate a course",
  ids: 1,
  fields: [
    {"name":"rating","type":"integer","min":1,"max":5,"required":true},
    {"name":"text","type":"text","max":5000},
    {"name":"member_id","type":"text"},
  ],
}

export const lmsCertificatesRevoke: FormOperation = {
  name: "lms.certificates.revoke",
  summary: "Revoke a certificate",
  ids: 1,
  fields: [
    {"name":"reason","type":"text","min":1,"max":500},
  ],
}
