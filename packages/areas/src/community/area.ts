import { defineArea } from '#platform/area.ts'
import * as events from './events.ts'
import { exportRoutes } from './exports/routes.ts'
import * as ids from './ids.ts'
import { forgetImports } from './imports/forget-imports.schedule.ts'
import { importRoutes } from './imports/routes.ts'
import { runImport } from './imports/run-import.job.ts'
import { communityImportTopics } from './imports/topics.ts'

export const community = defineArea({
  name: 'community',
  ids,
  permissions: ['community'],
  tags: { Community: 'All that members have written, as one file: out of a project and into one.' },
  routes: (api, deps) => {
    exportRoutes(api, deps)
    importRoutes(api, deps)
  },
  events,
  background: { jobs: [runImport], schedules: [forgetImports] },
  topics: [communityImportTopics],
})
