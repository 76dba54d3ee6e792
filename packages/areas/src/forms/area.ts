import { defineArea } from '#platform/area.ts'
import { removeForm } from './builder/remove-form.job.ts'
import * as errors from './errors.ts'
import * as events from './events.ts'
import { exportSubmissions } from './exports/export-submissions.job.ts'
import * as ids from './ids.ts'
import { memberData } from './member-data.ts'
import { formRoutes } from './routes.ts'

export const forms = defineArea({
  name: 'forms',
  ids,
  permissions: ['forms'],
  tags: {
    Forms:
      'Forms with conditional fields, and their submissions. Changes of a form are a draft; visitors see the version that was published last.',
  },
  routes: formRoutes,
  errors,
  events,
  background: { jobs: [exportSubmissions, removeForm] },
  memberData, // Submissions release their files before files are deleted.
  erasureOrder: -1,
})
