import { type Static, Type } from 'typebox'
import { ATTACHMENTS } from '#areas/storage/schema.ts'
import { nullable, oneOf, pathId, strict, Timestamp, unsettable } from '#platform/http/envelope.ts'
import { includeParameter } from '#platform/http/include.ts'
import { MemberId } from '#platform/http/member-id.ts'
import { BIO_LENGTH, NAME_LENGTH } from './display-name.ts'

const DisplayName = Type.String({
  description:
    'The chosen name. Without one it is "Member" and four letters of the id, or the full name if the project shows full names. "Former member" if the member was deleted',
  examples: ['Ada'],
})
const Badge = Type.Object(
  {
    kind: oneOf(['role', 'plan'], { description: 'The kind of the badge', examples: ['role'] }),
    name: Type.String({ description: 'The role, or the name of the plan', examples: ['moderator'] }),
  },
  { title: 'Badge' },
)
const AvatarUrl = nullable(
  Type.String({
    description:
      'The address of the picture. The address of an uploaded picture works for an hour or longer; read the profile again after that',
    format: 'web-url',
    examples: ['https://example.com/ada.png'],
  }),
)
const Badges = Type.Array(Badge, {
  description: 'The role and the plan of the member. The role `member` and the default plan have no badge',
})

/** What an answer shows of the member that it names. */
export const Author = Type.Object(
  { id: MemberId, display_name: DisplayName, avatar_url: AvatarUrl, badges: Badges },
  { title: 'Author' },
)
export type Author = Static<typeof Author>

/** The name of the field, in `include` and in answers. */
export const AUTHOR = 'author'
/** The query parameter of answers that name members. */
export const includeAuthor = includeParameter([AUTHOR])
/** The same of posts, which also have files. */
export const includeOfPosts = includeParameter([AUTHOR, ATTACHMENTS])
/** The fields that `include` adds to posts, by its words. */
export const ADDED_TO_POSTS = { [AUTHOR]: 'author', [ATTACHMENTS]: 'files' }
/** The field that `include=author` adds. */
export const authorField = {
  author: Type.Optional(
    nullable({
      ...Author,
      description:
        'Present with `include=author`: the profile of the member. Null if there is no member, or if the project does not show profiles to visitors',
    }),
  ),
}

export const Profile = Type.Object(
  {
    ...Author.properties,
    bio: nullable(
      Type.String({ description: 'Plain text that the member wrote', examples: ['I plan my weeks.'] }),
    ),
    member_since: nullable(Timestamp({ description: 'Null if the project does not show it' })),
  },
  { title: 'Profile' },
)
export type Profile = Static<typeof Profile>

/** The most profiles of one answer. */
const MOST_IDS = 100
/** A TypeID of a member. */
const ONE_ID = 'mem_[0-9a-z]{26}'
export const FindQuery = strict({
  ids: Type.Optional(
    Type.String({
      pattern: `^${ONE_ID}(?:,${ONE_ID}){0,${MOST_IDS - 1}}$`,
      description: `Ids of members, separated by commas, at most ${MOST_IDS}. Unknown ones are left out`,
      examples: ['mem_01jcq3k8f7e8qtk4m3hbw7rn2d'],
    }),
  ),
  search: Type.Optional(
    Type.String({
      minLength: 2,
      maxLength: NAME_LENGTH,
      description: 'The beginning of a name, for mentions: two characters or more',
    }),
  ),
})

export const ById = strict({ id: pathId('member', MemberId) })

const TURNING = '\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069'

/** What `PATCH /user/profile` changes of a profile. */
export const profileChanges = {
  display_name: Type.Optional(
    unsettable(
      Type.String({
        maxLength: NAME_LENGTH,
        pattern: `^[^\\u0000-\\u001f\\u007f-\\u009f${TURNING}]*$`,
        description:
          'The name that other members see. Several members can have the same name, but a name that looks like a moderator’s name is refused',
        examples: ['Ada'],
      }),
    ),
  ),
  bio: Type.Optional(
    unsettable(
      Type.String({
        maxLength: BIO_LENGTH,
        description: 'Plain text without control characters; lines are allowed',
        examples: ['I plan my weeks.'],
      }),
    ),
  ),
  avatar_file_id: Type.Optional(
    nullable(
      Type.String({
        description: 'A picture (PNG, JPEG, WebP, GIF or AVIF) that the member owns. Null removes it',
        examples: ['file_01jcq3k8f7e8qtk4m3hbw7rn2h'],
      }),
    ),
  ),
}
export type ProfileChanges = Static<typeof ProfileChanges>
const ProfileChanges = strict(profileChanges)

/** What members read of their own profile. */
export const OWN_FIELDS = ['display_name', 'bio', 'avatar_file_id'] as const
export const ownFields = {
  display_name: Type.Optional(
    Type.String({ description: 'The chosen name. Empty if none is chosen', examples: ['Ada'] }),
  ),
  bio: Type.Optional(Type.String({ description: 'Empty if there is none', examples: ['I plan my weeks.'] })),
  avatar_file_id: Type.Optional(
    nullable(
      Type.String({
        description: 'The uploaded picture; null if there is none',
        examples: ['file_01jcq3k8f7e8qtk4m3hbw7rn2h'],
      }),
    ),
  ),
}
export interface OwnProfile {
  display_name: string
  bio: string
  avatar_file_id: string | null
}
