import { defineNotice } from '#platform/events/notify-streams.ts'

export const communityImportProgressed = defineNotice({
  name: 'community.import_progressed',
  description: 'More lines of an import of a community are done',
})
