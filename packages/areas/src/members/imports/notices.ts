import { defineNotice } from '#platform/events/notify-streams.ts'

export const importProgressed = defineNotice({
  name: 'import.progressed',
  description: 'More rows of an import are done, or the import has failed',
})
