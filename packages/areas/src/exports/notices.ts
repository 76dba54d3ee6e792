import { defineNotice } from '#platform/events/notify-streams.ts'

export const exportProgressed = defineNotice({
  name: 'export.progressed',
  description: 'More rows of an export are done',
})
