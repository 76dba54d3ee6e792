import { progressTopic } from '#platform/catalogue/progress-topic.ts'
import { defineNotice } from '#platform/events/notify-streams.ts'
import { importCompleted } from '../events.ts'
import { importId } from '../ids.ts'
import { findImport } from './queries.ts'
import { toProgress } from './rows.ts'

export const importProgressed = defineNotice({
  name: 'import.progressed',
  description: 'More rows of an import are done, or the import has failed',
})

export const importTopics = progressTopic({
  topic: 'import',
  id: importId,
  description: 'For keys with `read:members`: the progress and the end of an import of members',
  example: 'import:imp_01jcq3k8f7e8qtk4m3hbw7rn2s',
  events: [importCompleted],
  progressed: importProgressed,
  find: findImport,
  permissionOf: () => 'read:members',
  show: toProgress,
})
