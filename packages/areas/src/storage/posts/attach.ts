import { sql } from 'kysely'
import { type AnswerOf, defineQuery } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'
import { type FieldFault, invalidBody } from '#platform/errors.ts'
import type { Credential } from '#platform/http/viewer.ts'
import { parseId } from '#platform/ids.ts'
import type { Target } from '../queries.ts'
import { attachFile, releaseFiles, requestPreview } from '../references.ts'

// Files that posts name by their ids. A file belongs to one post, so that it is gone with it.

/** Files that nobody attaches or deletes until this transaction ends. */
const lockFiles = defineQuery('lock_files_of_post', (v: { ids: readonly string[] }) =>
  query
    .selectFrom('files')
    .select(['id', 'status', 'owner_id', 'purpose', 'content_type', 'width'])
    .where('id', '=', sql<string>`any (${v.ids}::uuid[])`)
    .orderBy('id')
    .forNoKeyUpdate(),
)
type LockedFile = AnswerOf<typeof lockFiles>[number]

/** Those of the files that something refers to. Asked after they are locked. */
const findReferred = defineQuery('files_referred_to', (v: { ids: readonly string[] }) =>
  query
    .selectFrom('file_attachments')
    .select('file_id')
    .distinct()
    .where('file_id', '=', sql<string>`any (${v.ids}::uuid[])`),
)

/** Who names files, and for what. Stored ids. */
export interface Attaching {
  readonly viewer: Credential
  /** Of the post; null where the team speaks as such. */
  readonly author: string | null
  /** The files that the post has now, which may all stay. */
  readonly before?: readonly string[]
}

/** Files that a post will have. */
export interface PostFiles {
  readonly ids: string[]
  /** Those that it has not had before. */
  readonly added: readonly LockedFile[]
}

/**
 * The files that a body names, checked and locked. Of those that the post has already, the ones that were deleted meanwhile are
 * left out.
 * @throws ApiError 422 for files that cannot be attached
 */
export async function openFiles(
  ctx: Context,
  ids: readonly string[],
  { viewer, author, before = [] }: Attaching,
): Promise<PostFiles> {
  if (ids.length === 0) return { ids: [], added: [] }
  const parsed = ids.map((id) => parseId('file', id))
  const known = parsed.filter((id) => id !== undefined)
  const locking = lockFiles(ctx, { ids: known })
  const referring = findReferred(ctx, { ids: known })
  const files = new Map((await locking).map((file) => [file.id, file]))
  const taken = new Set((await referring).map(({ file_id }) => file_id))
  const had = new Set(before)
  const faults = parsed.flatMap((id, i) => {
    if (id !== undefined && had.has(id)) return []
    const fault = faultOf(id === undefined ? undefined : files.get(id), { viewer, author, taken })
    return fault === undefined ? [] : [{ field: `attachments[${i}]`, ...fault }]
  })
  if (faults.length > 0) throw invalidBody(faults)
  const there = known.filter((id) => files.has(id))
  return { ids: there, added: there.flatMap((id) => (had.has(id) ? [] : (files.get(id) ?? []))) }
}

/** Why a file cannot be attached. Another member's is a file that is missing. */
function faultOf(
  file: LockedFile | undefined,
  { viewer, author, taken }: Attaching & { taken: ReadonlySet<string> },
): Omit<FieldFault, 'field'> | undefined {
  const { isKey, memberId } = viewer
  const isAllowed = isKey
    ? file?.owner_id === null || file?.owner_id === author
    : memberId !== null && file?.owner_id === memberId
  if (file === undefined || !isAllowed)
    return { rule: 'exists', message: isKey ? NOT_OF_AUTHOR : 'is not a file that you have uploaded' }
  if (file.status !== 'ready') return { rule: 'pending', message: 'is not completely uploaded yet' }
  if (file.purpose === 'avatar')
    return { rule: 'purpose', message: 'was uploaded as a picture of a member: upload it as an attachment' }
  if (taken.has(file.id))
    return { rule: 'attached', message: 'belongs to another post or thing: upload the file again' }
  return undefined
}

const NOT_OF_AUTHOR = 'is not a file of this project that belongs to the author or to nobody'

/** Keeps files for as long as a post is there, and has pictures among them measured. */
export function attachFiles(ctx: Context, { added }: PostFiles, to: Target): void {
  for (const file of added) {
    attachFile(ctx, file.id, to)
    requestPreview(ctx, file)
  }
}

/** What an edit of its files means to a post: the files that it does not name any more are deleted. */
export async function changeFiles(ctx: Context, files: PostFiles, to: Target): Promise<void> {
  attachFiles(ctx, files, to)
  await releaseFiles(ctx, to, files.ids)
}
