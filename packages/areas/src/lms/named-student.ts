import { forbidden } from '#platform/errors.ts'
import type { Credential } from '#platform/http/viewer.ts'
import { idFromFilter } from '#platform/ids.ts'

/**
 * The member whom a query names as `student_id`, or whose token it is; undefined where a key names nobody.
 * @throws ApiError 400 for what is no member's id; 403 for another member than the token's
 */
export function namedStudent(viewer: Credential, named: string | undefined): string | undefined {
  const id = named === undefined ? undefined : idFromFilter('member', 'student_id', named)
  if (viewer.memberId === null) return id
  if (id !== undefined && id !== viewer.memberId)
    throw forbidden('student_id must be the member whose token this is')
  return viewer.memberId
}
