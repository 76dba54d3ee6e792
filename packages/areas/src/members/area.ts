import { defineArea } from '#platform/area.ts'
import { exportData } from './data-export/export-data.job.ts'
import { mailArchive } from './data-export/mail-archive.job.ts'
import * as errors from './errors.ts'
import * as events from './events.ts'
import * as ids from './ids.ts'
import { forgetImports } from './imports/forget-imports.schedule.ts'
import { removeImportFile } from './imports/remove-import-file.job.ts'
import { runImport } from './imports/run-import.job.ts'
import { importTopics } from './imports/topics.ts'
import * as mails from './mails.ts'
import { memberData } from './member-data.ts'
import { purgeDeleted } from './removal/purge-deleted.due.ts'
import { memberRoutes } from './routes.ts'

export const members = defineArea({
  name: 'members',
  ids,
  permissions: ['members'],
  tags: {
    Members: 'The people of a project: their data, their roles and their plans.',
  },
  routes: memberRoutes,
  errors,
  events,
  mails,
  background: {
    jobs: [exportData, mailArchive, removeImportFile, runImport],
    schedules: [forgetImports],
  },
  dueWork: [purgeDeleted],
  memberData,
  topics: [importTopics],
})
