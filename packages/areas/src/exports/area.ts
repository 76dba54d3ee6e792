import { defineArea } from '#platform/area.ts'
import * as events from './events.ts'
import { expireExports } from './expire-exports.schedule.ts'
import * as ids from './ids.ts'
import { memberData } from './member-data.ts'
import { removeExportObjects } from './remove-objects.job.ts'
import { exportRoutes } from './routes.ts'
import { exportTopics } from './topics.ts'

export const exports = defineArea({
  name: 'exports',
  ids,
  tags: {
    Exports: 'Files with your data, made in the background and kept for a day.',
  },
  routes: exportRoutes,
  events,
  background: { jobs: [removeExportObjects], schedules: [expireExports] },
  memberData,
  topics: [exportTopics],
})
