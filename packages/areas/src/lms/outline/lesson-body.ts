import { courseId } from '#areas/entitlements/ids.ts'
import { findReadyFiles, readUrlOf, type StorageDeps } from '#areas/storage/service.ts'
import type { Context } from '#platform/db/tenant.ts'
import { toId } from '#platform/ids.ts'
import type { Viewer } from '../access.ts'
import { moduleId } from '../ids.ts'
import type { LessonRow } from './queries.ts'
import { ofViewer, outlinedOf } from './rows.ts'
import type { Lesson, LOCKS } from './schema.ts'

interface KeptCaption {
  readonly file_id: string
  readonly language: string
  readonly label: string
}

type ReadyFiles = Awaited<ReturnType<typeof findReadyFiles>>

/** Why a viewer does not see the body of a lesson, or null where they do. */
export function lockOf(viewer: Viewer, row: LessonRow): (typeof LOCKS)[number] | null {
  if (viewer.kind === 'staff') return null
  if (row.enrollment_id === null) return 'not_enrolled'
  if (!row.is_open) return 'ended'
  return row.has_begun ? null : 'not_open_yet'
}

/** The files that the body of a lesson shows. */
export const filesOf = (ctx: Context, row: LessonRow) =>
  findReadyFiles(ctx, [
    ...(row.file_id === null ? [] : [row.file_id]),
    ...(row.captions as unknown as KeptCaption[]).map(({ file_id }) => file_id),
  ])

/** A lesson as the viewer may see it. Signs URLs, so that it is called after the transaction. */
export async function toLesson(
  deps: StorageDeps,
  viewer: Viewer,
  row: LessonRow,
  files: ReadyFiles,
): Promise<Lesson> {
  const locked = lockOf(viewer, row)
  const shown = {
    ...outlinedOf(row),
    course_id: toId(courseId, row.course_id),
    module_id: toId(moduleId, row.module_id),
    created_at: row.created_at,
    updated_at: row.updated_at,
    locked,
    ...ofViewer(row),
  }
  if (locked !== null) return shown
  const read = async (id: string | null) => {
    const file = files.find((each) => each.id === id)
    if (file === undefined) return null
    const { name, content_type, size } = file
    return { id: toId('file', file.id), name, content_type, size, url: await readUrlOf(deps, file) }
  }
  const captions = await Promise.all(
    (row.captions as unknown as KeptCaption[]).map(async ({ file_id, language, label }) => {
      const file = await read(file_id)
      return file === null ? [] : [{ ...file, language, label }]
    }),
  )
  return {
    ...shown,
    content: row.content,
    content_html: row.content_html,
    url: row.url,
    file: await read(row.file_id),
    captions: captions.flat(),
    ...(row.enrollment_id !== null && { last_position: row.last_position }),
  }
}
