import { progressTopic } from '#platform/catalogue/progress-topic.ts'
import { communityImported } from '../events.ts'
import { communityImportId } from '../ids.ts'
import { communityImportProgressed } from './notices.ts'
import { findImport } from './queries.ts'
import { toProgress } from './shown.ts'

/** Imports of a community share the topic of imports of members: their ids tell them apart. */
export const communityImportTopics = progressTopic({
  topic: 'import',
  id: communityImportId,
  description: 'For keys with `read:community`: the progress and the end of an import of a community',
  example: 'import:cimp_01jcq3k8f7e8qtk4m3hbw7rn2k',
  events: [communityImported],
  progressed: communityImportProgressed,
  find: findImport,
  permissionOf: () => 'read:community',
  show: toProgress,
})
