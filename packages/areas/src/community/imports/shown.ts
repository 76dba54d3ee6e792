import { toId } from '#platform/ids.ts'
import { communityImportId } from '../ids.ts'
import { type Named, RESOURCES } from '../line-types.ts'
import type { FaultyLine, ImportRow } from './queries.ts'
import { type CommunityImport, type ImportProgress, MAP_PAGE } from './schema.ts'

export const toProgress = (row: ImportRow): ImportProgress => ({
  id: toId(communityImportId, row.id),
  status: row.state as ImportProgress['status'],
  dry_run: row.dry_run,
  lines: row.lines,
  created: row.created,
  faulty: row.faulty,
  error: row.error,
  created_at: row.created_at,
  finished_at: row.finished_at,
})

interface MovedRow {
  readonly record: string
  readonly old_id: string
  readonly new_id: string
}

interface Shown {
  readonly faults: readonly FaultyLine[]
  /** A page of the map, and one entry more if there is more. */
  readonly moved: readonly MovedRow[]
  readonly discussionUrl: string | null | undefined
}

export function toImport(row: ImportRow, { faults, moved, discussionUrl }: Shown): CommunityImport {
  const page = moved.slice(0, MAP_PAGE)
  const last = page.at(-1)
  return {
    ...toProgress(row),
    faults: faults.flatMap(({ line, record, faults: all }) =>
      all.map((fault) => ({ line, record, ...fault })),
    ),
    map: page.map(({ record, old_id, new_id }) => {
      const idOf = (stored: string) => toId(RESOURCES[record as Named], stored)
      const urlOf = (stored: string) =>
        record === 'discussion'
          ? (discussionUrl?.replace('{id}', encodeURIComponent(idOf(stored))) ?? null)
          : null
      return {
        ...{ record, old_id: idOf(old_id), new_id: idOf(new_id) },
        ...{ old_url: urlOf(old_id), new_url: urlOf(new_id) },
      }
    }),
    map_next: moved.length > MAP_PAGE && last !== undefined ? `${last.record}.${last.old_id}` : null,
  }
}
