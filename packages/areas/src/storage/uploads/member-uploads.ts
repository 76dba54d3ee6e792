import { sql } from 'kysely'
import { defineQuery } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import type { Context, ProjectData } from '#platform/db/tenant.ts'
import { invalidField } from '#platform/errors.ts'
import type { MultipartLimits } from '#platform/http/uploads/multipart.ts'
import { quotaExceeded } from '../errors.ts'
import { isPicture } from '../names.ts'
import type { Purpose } from '../schema.ts'
import { type ReceivedFile, roomForUpload, type StorageDeps } from '../service.ts'

// What members upload with their own tokens: files that they attach to posts, and their pictures. A file that nothing refers
// to after a day is deleted.

const MIB = 1024 * 1024
/** The largest file of each purpose. */
export const LARGEST: Readonly<Record<Purpose, number>> = { attachment: 25 * MIB, avatar: 5 * MIB }
/** What one member may own at a time. */
export const MEMBER_BYTES = 200 * MIB
export const MEMBER_FILES = 1_000

const ownedBy = defineQuery('files_of_member', (v: { id: string }) =>
  query
    .selectFrom('files')
    .select([sql<number>`coalesce(sum(size), 0)::int8`.as('bytes'), sql<number>`count(*)`.as('files')])
    .where('owner_id', '=', v.id),
).single()

const lockMember = defineQuery('lock_member_who_uploads', (v: { id: string }) =>
  query.selectFrom('members').select('id').where('id', '=', v.id).forNoKeyUpdate(),
)

const memberQuotaExceeded = () =>
  quotaExceeded(undefined, {
    message: 'The files of this member fill the storage of a member: delete files first',
  })

/** How large a file may be that a member uploads now. @throws ApiError 422 QUOTA_EXCEEDED for a member with too many */
export async function roomForMember(
  data: ProjectData,
  deps: StorageDeps,
  memberId: string,
): Promise<Pick<MultipartLimits, 'fileBytes' | 'tooLarge'>> {
  const room = await roomForUpload(data, deps)
  const { owned } = await data.read({ owned: ownedBy({ id: memberId }) })
  if (owned.files >= MEMBER_FILES) throw memberQuotaExceeded()
  const left = Math.max(0, MEMBER_BYTES - owned.bytes)
  if (left < Math.min(room.fileBytes, LARGEST.attachment))
    return { fileBytes: left, tooLarge: memberQuotaExceeded }
  return room.fileBytes <= LARGEST.attachment ? room : { fileBytes: LARGEST.attachment }
}

/** @throws ApiError 422 for a picture that is none, and for one that is too large */
export function assertPurpose(file: Pick<ReceivedFile, 'contentType' | 'size'>, purpose: Purpose): void {
  if (purpose === 'avatar' && !isPicture(file.contentType))
    throw invalidField('file', 'picture', 'must be a PNG, JPEG, WebP, GIF or AVIF picture')
  if (file.size > LARGEST[purpose])
    throw invalidField('file', 'maxLength', `must have at most ${LARGEST[purpose] / MIB} MiB`)
}

/**
 * Has a member keep what `keep` adds, unless it is too much. Uploads of one member take turns, so that several at once are no
 * way past the limit.
 * @throws ApiError 422 QUOTA_EXCEEDED
 */
export async function withinMemberQuota<T>(ctx: Context, id: string, keep: () => Promise<T>): Promise<T> {
  lockMember(ctx, { id })
  const kept = await keep()
  const { bytes, files } = await ownedBy(ctx, { id })
  if (bytes > MEMBER_BYTES || files > MEMBER_FILES) throw memberQuotaExceeded()
  return kept
}
