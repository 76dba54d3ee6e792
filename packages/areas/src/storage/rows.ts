import { toId } from '#platform/ids.ts'
import type { FileStatus, StoredFile, Visibility } from './schema.ts'

/** What every query for files reads. */
export const fileColumns = [
  'id',
  'project_id',
  'name',
  'size',
  'content_type',
  'checksum_sha256',
  'visibility',
  'owner_id',
  'status',
  'object_id',
  'upload_expires_at',
  'created_at',
] as const

export interface FileRow {
  id: string
  project_id: string
  name: string
  size: number
  content_type: string
  checksum_sha256: string | null
  visibility: string
  owner_id: string | null
  status: string
  object_id: string | null
  upload_expires_at: string | null
  created_at: string
}

/** @param baseUrl the API's address */
export const toFile = (row: FileRow, baseUrl: string): StoredFile => ({
  id: toId('file', row.id),
  name: row.name,
  size: row.size,
  content_type: row.content_type,
  checksum_sha256: row.checksum_sha256,
  visibility: row.visibility as Visibility,
  url: row.status === 'ready' ? urlOf(row, baseUrl) : null,
  owner_id: row.owner_id === null ? null : toId('member', row.owner_id),
  status: row.status as FileStatus,
  created_at: row.created_at,
})

function urlOf({ id, project_id, visibility }: FileRow, baseUrl: string): string {
  const file = toId('file', id)
  const path =
    visibility === 'public' ? `public/${toId('project', project_id)}/${file}` : `files/${file}/content`
  return `${baseUrl}/api/v1/storage/${path}`
}
