import { toId } from '#platform/ids.ts'
import { importId } from '../ids.ts'
import type { FaultRow, ImportRow } from './queries.ts'
import type { ImportProgress, MemberImport } from './schema.ts'

export const toProgress = (row: ImportRow): ImportProgress => ({
  id: toId(importId, row.id),
  status: row.state as ImportProgress['status'],
  dry_run: row.dry_run,
  total_rows: row.total_rows,
  processed_rows: row.processed_rows,
  created: row.created,
  faulty: row.faulty,
  created_at: row.created_at,
  finished_at: row.finished_at,
})

/** @param baseUrl the API's address */
export function toImport(row: ImportRow, faults: readonly FaultRow[], baseUrl: string): MemberImport {
  const progress = toProgress(row)
  return {
    ...progress,
    faults: faults.flatMap(({ row: number, faults: all }) => all.map((fault) => ({ row: number, ...fault }))),
    faults_url: row.faulty === 0 ? null : `${baseUrl}/api/v1/members/imports/${progress.id}/faults`,
  }
}

/** All objects of an import. */
export const prefixOf = (projectId: string, id: string): string => `${projectId}/imports/${id}/`

/** Where the file of an import is. */
export const fileKey = (projectId: string, id: string): string => `${prefixOf(projectId, id)}members.csv`
