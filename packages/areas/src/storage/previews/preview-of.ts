import { notFound } from '#platform/errors.ts'
import { previewObject } from '../names.ts'
import type { FileRow } from '../queries.ts'
import { PREVIEW_TYPE } from './read-picture.ts'

/** The smaller size of a picture, as a file that is served. @throws ApiError 404 where there is none */
export function previewOf(file: FileRow): FileRow {
  if (file.object_id === null || file.preview_bytes === null) throw notFound('File')
  return {
    ...file,
    name: `${file.name.replace(/\.\w{1,16}$/, '')}.webp`,
    size: file.preview_bytes,
    content_type: PREVIEW_TYPE,
    // What its tag is made of: it never changes, as the picture does not.
    checksum_sha256: `${file.checksum_sha256}-preview`,
    object_id: previewObject(file.object_id),
  }
}
