import { attachFile, findReadyFile, releaseFiles } from '#areas/storage/service.ts'
import type { Context } from '#platform/db/tenant.ts'
import { invalidField } from '#platform/errors.ts'
import { parseId } from '#platform/ids.ts'
import { shownFullName, skeletonOf, toBio, toDisplayName } from './display-name.ts'
import * as people from './people.ts'
import * as queries from './queries.ts'
import { moderatorsNamed, type ProfileValues, setProfile } from './queries.ts'
import type { ProfileChanges } from './schema.ts'
import * as settings from './settings.ts'
import * as showPeople from './show-people.ts'
import * as showPosts from './show-posts.ts'

export const { findPeople, ownProfile } = queries
export const { showingPeople, byAuthor, readNames, withNames } = showPeople
export const { showingPosts } = showPosts
export const { toAuthors } = people

/** How a side of a project works with this area, for its operators. */
export const {
  NAME_SOURCES,
  PROFILE_FIELDS,
  assertProfileSettings,
  findProfileSettings,
  updateProfileSettings,
} = settings

/** What pictures of members refer from. */
const AVATAR = 'avatar'

/**
 * Changes what is sent of the profile of a member.
 * @param isPicture whether the file was read to its end as a picture
 * @throws ApiError 422 for a name like a moderator's, and for a picture that is none or another member's
 */
export async function updateProfile(
  ctx: Context,
  memberId: string,
  {
    display_name,
    bio,
    avatar_file_id,
    isPicture = false,
  }: { readonly [K in keyof ProfileChanges]: ProfileChanges[K] | undefined } & {
    readonly isPicture?: boolean
  },
): Promise<void> {
  const values: Partial<Record<keyof ProfileValues, string | null>> = {}
  if (display_name !== undefined) {
    const name = display_name.trim() === '' ? null : toDisplayName(display_name)
    if (name !== null) await assertNoModerators(ctx, name, { memberId, field: 'display_name' })
    values.display_name = name
    values.name_skeleton = name === null ? null : skeletonOf(name)
  }
  if (bio !== undefined) values.bio = toBio(bio) || null
  if (avatar_file_id !== undefined)
    values.avatar_file_id =
      avatar_file_id === null ? null : await pictureOf(ctx, avatar_file_id, memberId, isPicture)
  const sent = Object.keys(values) as (keyof ProfileValues)[]
  if (sent.length === 0) return
  const nothing = { display_name: null, name_skeleton: null, bio: null, avatar_file_id: null }
  // It locks the row: of two pictures that are set at once, the first one is released by the second.
  setProfile(sent)(ctx, { ...nothing, ...values, id: memberId })
  if (values.avatar_file_id === undefined) return
  const to = { kind: AVATAR, id: memberId }
  const kept = values.avatar_file_id === null ? [] : [values.avatar_file_id]
  for (const file of kept) attachFile(ctx, file, to)
  await releaseFiles(ctx, to, kept)
}

/**
 * Refuses a full name that looks like a moderator's, where the project shows full names.
 * @param memberId undefined for somebody who joins
 * @throws ApiError 422
 */
export async function assertFullName(
  ctx: Context,
  fullName: string | undefined,
  memberId?: string,
): Promise<void> {
  const name = shownFullName(fullName ?? '')
  if (name !== '') await assertNoModerators(ctx, name, { memberId, field: 'full_name' })
}

/** Readers would take the member for the moderator. Moderators may be called alike. @throws ApiError 422 */
async function assertNoModerators(
  ctx: Context,
  name: string,
  { memberId, field }: { memberId: string | undefined; field: 'display_name' | 'full_name' },
): Promise<void> {
  const skeleton = skeletonOf(name)
  const others = await moderatorsNamed(ctx, { skeleton, member: memberId ?? null })
  if (others.is_moderator || (field === 'full_name' && others.display_name_from !== 'full_name')) return
  const isAlike =
    others.is_alike || others.full_names.some((each) => skeletonOf(shownFullName(each)) === skeleton)
  if (isAlike)
    throw invalidField(field, 'look_alike', 'looks like the name of a moderator: choose another one')
}

/** @returns the stored id. @throws ApiError 422 */
async function pictureOf(
  ctx: Context,
  fileId: string,
  memberId: string,
  isPicture: boolean,
): Promise<string> {
  const id = parseId('file', fileId)
  const file = id === undefined ? undefined : await findReadyFile(ctx, { id })
  // The same for a file that is missing and for another member's.
  if (id === undefined || file?.ownerId !== memberId)
    throw invalidField('avatar_file_id', 'exists', 'is not a file of this member')
  if (!isPicture)
    throw invalidField('avatar_file_id', 'picture', 'must be a whole PNG, JPEG, WebP, GIF or AVIF picture')
  return id
}
