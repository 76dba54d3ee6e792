import { defineArea } from '#platform/area.ts'
import { finishFile } from './cleanup/finish-file.job.ts'
import { reconcileFiles } from './cleanup/reconcile-files.schedule.ts'
import { removeObjects } from './cleanup/remove-objects.job.ts'
import * as errors from './errors.ts'
import * as events from './events.ts'
import { memberData } from './member-data.ts'
import { makePreview } from './previews/make-preview.job.ts'
import { storageRoutes } from './routes.ts'

export const storage = defineArea({
  name: 'storage',
  permissions: ['storage'],
  tags: {
    Storage:
      'Files, including large ones. They are uploaded through the API or directly to the object storage, and read by their URL or by a signed URL.',
  },
  routes: storageRoutes,
  errors,
  events,
  background: { jobs: [removeObjects, finishFile, makePreview], schedules: [reconcileFiles] },
  memberData,
})
