import { defineEvent } from '#platform/events/emit.ts'
import { exampleOf } from '#platform/http/example.ts'
import { ExportData } from './schema.ts'

const example = exampleOf(ExportData)

export const exportCompleted = defineEvent({
  name: 'export.completed',
  description: 'An export is ready; get its address with `GET /exports/{id}`',
  data: ExportData,
  example: { ...example, error: null },
  member: () => null,
})

export const exportFailed = defineEvent({
  name: 'export.failed',
  description: 'An export failed',
  data: ExportData,
  example: { ...example, status: 'failed', size: null, completed_at: null, expires_at: null },
  member: () => null,
})
