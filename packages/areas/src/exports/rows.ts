import { toId } from '#platform/ids.ts'
import type { Permission } from '#platform/keys/permissions.ts'
import type { StoredPart } from '#platform/storage/part-uploads.ts'
import { exportId } from './ids.ts'
import type { ExportData, ExportStatus } from './schema.ts'

/** What every query for exports reads. */
export const exportColumns = [
  'id',
  'project_id',
  'kind',
  'params',
  'permission',
  'format',
  'file_name',
  'content_type',
  'status',
  'rows',
  'total_rows',
  'size',
  'error',
  'checkpoint',
  'object_id',
  'expires_at',
  'created_at',
  'completed_at',
] as const

export interface ExportRow {
  id: string
  project_id: string
  kind: string
  params: unknown
  permission: string
  format: string
  file_name: string
  content_type: string
  status: string
  rows: number
  total_rows: number | null
  size: number | null
  error: string | null
  checkpoint: unknown
  object_id: string | null
  expires_at: string
  created_at: string
  completed_at: string | null
}

/** How far the object of an export is. */
export interface Checkpoint {
  readonly objectId: string
  readonly uploadId: string
  /** No run has used this number, nor any after it, for a part. */
  readonly nextPart: number
  readonly parts: readonly StoredPart[]
  /** Bytes in these parts. */
  readonly bytes: number
  /** The last row in them, in the words of whoever knows the order of rows; null: none. */
  readonly after: string | null
}

/** Written by us alone. */
export const checkpointOf = (row: ExportRow): Checkpoint | null => row.checkpoint as Checkpoint | null
export const permissionOf = (row: ExportRow): Permission => row.permission as Permission

/** Where everything of an export lies. */
export const prefixOf = (projectId: string, exportId: string): string => `${projectId}/${exportId}/`
export const objectKey = (projectId: string, exportId: string, objectId: string): string =>
  prefixOf(projectId, exportId) + objectId

/** An export as clients see it, without its URL. */
export const toExportData = (row: ExportRow): ExportData => ({
  id: toId(exportId, row.id),
  kind: row.kind,
  format: row.format,
  status: row.status as ExportStatus,
  file_name: row.file_name,
  rows: row.rows,
  total_rows: row.total_rows,
  size: row.size,
  error: row.error,
  created_at: row.created_at,
  completed_at: row.completed_at,
  expires_at: row.status === 'completed' || row.status === 'expired' ? row.expires_at : null,
})
