import { type findReadyFiles, readUrlOf, type StorageDeps } from '#areas/storage/service.ts'
import { type AnswerOf, pick } from '#platform/db/query.ts'
import type { Credential } from '#platform/http/viewer.ts'
import { toId } from '#platform/ids.ts'
import { courseId, moduleId } from '../ids.ts'
import type { LessonRow } from './queries.ts'
import { ofViewer, outlinedOf } from './rows.ts'
import type { Lesson, LOCKS } from './schema.ts'

interface KeptCaption {
  readonly file_id: string
  readonly language: string
  readonly label: string
}

type ReadyFiles = AnswerOf<typeof findReadyFiles>

/** Why a viewer does not see the body of a lesson, or null where they do. */
export function lockOf(viewer: Credential, row: LessonRow): (typeof LOCKS)[number] | null {
  if (viewer.isKey) return null
  if (row.enrollment_id === null) return 'not_enrolled'
  if (!row.is_open) return 'ended'
  return row.has_begun ? null : 'not_open_yet'
}

const captionsOf = (row: LessonRow) => row.captions as unknown as KeptCaption[]

/** The ids of the files that the body of a lesson shows, for `findReadyFiles`. */
export const filesOf = (row: LessonRow): { ids: string[] } => ({
  ids: [row.file_id ?? [], ...captionsOf(row).map(({ file_id }) => file_id)].flat(),
})

/** A lesson as the viewer may see it. Signs URLs, so that it is called after the transaction. */
export async function toLesson(
  deps: StorageDeps,
  viewer: Credential,
  row: LessonRow,
  files: ReadyFiles,
): Promise<Lesson> {
  const locked = lockOf(viewer, row)
  const shown = {
    ...outlinedOf(row),
    course_id: toId(courseId, row.course_id),
    module_id: toId(moduleId, row.module_id),
    ...pick(row, 'created_at', 'updated_at'),
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
    captionsOf(row).map(async ({ file_id, language, label }) => {
      const file = await read(file_id)
      return file === null ? [] : [{ ...file, language, label }]
    }),
  )
  return {
    ...shown,
    ...pick(row, 'content', 'content_html', 'url'),
    file: await read(row.file_id),
    captions: captions.flat(),
    ...(row.enrollment_id !== null && { last_position: row.last_position }),
  }
}
