import { type InferResult, sql } from 'kysely'
import { now } from '#platform/db/project-clock.ts'
import { defineLookup, defineQueries, defineQuery } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import { invalidField } from '#platform/errors.ts'
import { toId } from '#platform/ids.ts'
import type { OwnProfile } from './schema.ts'

/** Members as others may see them, with what the project shows. */
const people = () =>
  query
    .selectFrom('members as m')
    .leftJoin('profile_settings as s', 's.project_id', 'm.project_id')
    .innerJoin('plans as p', 'p.id', 'm.plan_id')
    .leftJoin('profiles as f', 'f.id', 'm.id')
    .select(['m.id', 'm.project_id', 'm.full_name', 'm.avatar_url', 'm.role', 'm.created_at'])
    .select(['f.display_name', 'f.bio', 'f.avatar_file_id', 'p.name as plan_name', 'p.is_default'])
    .select(['s.profiles_public', 's.display_name_from', 's.profile_fields'])
    .select(sql<boolean>`m.deleted_at is not null`.as('is_gone'))
export type PersonRow = InferResult<ReturnType<typeof people>>[number]

/** The members of these ids, deleted ones too, in no order. */
export const findPeople = defineLookup('people_by_id', (v: { ids: readonly string[] }) =>
  people().where('m.id', '=', sql<string>`any (${v.ids}::uuid[])`),
)

/** Names that a search answers. */
const MOST_FOUND = 10
/** The active members of whose shown name one of the first three words starts with a text, the first word first. */
export const searchPeople = defineQuery('people_by_name', (v: { prefix: string }) =>
  people()
    .innerJoin(
      sql<{ id: string; place: number }>`app.members_named(${v.prefix}::text, ${sql.lit(MOST_FOUND)})`.as(
        'named',
      ),
      'named.id',
      'm.id',
    )
    .orderBy('named.place'),
)

/** What a member has chosen; empty for a member who has chosen nothing. */
export const ownProfile = defineLookup('own_profile', (v: { id: string }) =>
  query
    .selectFrom('members as m')
    .leftJoin('profiles as f', 'f.id', 'm.id')
    .select(['f.display_name', 'f.bio', 'f.avatar_file_id'])
    .where('m.id', '=', v.id),
)
  .map(
    ({ display_name, bio, avatar_file_id }): OwnProfile => ({
      display_name: display_name ?? '',
      bio: bio ?? '',
      avatar_file_id: avatar_file_id === null ? null : toId('file', avatar_file_id),
    }),
  )
  .first()

/** What is stored of a change. */
export interface ProfileValues {
  readonly display_name: string | null
  readonly name_skeleton: string | null
  readonly bio: string | null
  readonly avatar_file_id: string | null
}

const noPicture = (cause?: unknown) =>
  invalidField('avatar_file_id', 'exists', 'is not a file of this member', cause)

/** Sets these columns of the profile of a member, which is made where there is none. */
export const setProfile = defineQueries(
  'set_profile',
  (sent: readonly (keyof ProfileValues)[]) => (v: ProfileValues & { id: string }) => {
    const set = Object.fromEntries(sent.map((column) => [column, v[column]]))
    return query
      .insertInto('profiles')
      .values({ id: v.id, ...set, updated_at: now })
      .onConflict((conflict) =>
        conflict.columns(['project_id', 'id']).doUpdateSet({ ...set, updated_at: now }),
      )
  },
  { profiles_avatar_fkey: noPicture },
)

/** Moderators of a role whose full names are compared with a new name. */
const MOST_COMPARED = 1_000

/**
 * Who could be taken for somebody else.
 * @returns whether the member moderates, whether a moderator's display name has the skeleton, and the shown full names of
 * moderators without one
 */
export const moderatorsNamed = defineQuery(
  'moderators_named',
  (v: { skeleton: string; member: string | null }) => {
    const roles = sql`(select moderator_roles from projects)::text[]`
    const isModerator = (table: string) => sql<boolean>`${sql.ref(`${table}.role`)} = any (${roles})`
    const alike = query
      .selectFrom('profiles as f')
      .innerJoin('members as m', 'm.id', 'f.id')
      .select('m.id')
      .where('f.name_skeleton', '=', v.skeleton)
      .where('m.deleted_at', 'is', null)
      .where(isModerator('m'))
    // Role by role, each by the index of roles.
    const unnamed = sql`select m.full_name from unnest(${roles}) as of (role) cross join lateral (
        select id, full_name from members where role = of.role and deleted_at is null limit ${sql.lit(MOST_COMPARED)}) as m
      where m.full_name <> '' and not exists (select from profiles f where f.id = m.id and f.display_name is not null)`
    return query
      .selectFrom('projects as p')
      .leftJoin('profile_settings as s', 's.project_id', 'p.id')
      .select([
        sql<boolean>`exists (select from members me where me.id = ${v.member}::uuid and ${isModerator('me')})`.as(
          'is_moderator',
        ),
        sql<boolean>`exists (${alike})`.as('is_alike'),
        sql<string[]>`case when s.display_name_from = 'full_name' then array(${unnamed}) else '{}' end`.as(
          'full_names',
        ),
        's.display_name_from',
      ])
  },
).single()
