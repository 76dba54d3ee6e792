import { progressTopic } from '#platform/catalogue/progress-topic.ts'
import { defineNotice } from '#platform/events/notify-streams.ts'
import type { Permission } from '#platform/keys/permissions.ts'
import { exportCompleted, exportFailed } from './events.ts'
import { exportId } from './ids.ts'
import { findExport, toExportData } from './queries.ts'

export const exportProgressed = defineNotice({
  name: 'export.progressed',
  description: 'More rows of an export are done',
})

export const exportTopics = progressTopic({
  topic: 'export',
  id: exportId,
  description:
    'For keys: the progress and the end of an export. The key needs the permission with which it was created',
  example: 'export:exp_01jcq3k8f7e8qtk4m3hbw7rn2r',
  events: [exportCompleted, exportFailed],
  progressed: exportProgressed,
  find: findExport,
  permissionOf: ({ permission }) => permission as Permission,
  show: toExportData,
})
