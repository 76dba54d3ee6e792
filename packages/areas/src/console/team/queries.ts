import { type InferResult, sql } from 'kysely'
import { invitationId } from '#areas/auth/ids.ts'
import { defineQuery, pick } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import { toId } from '#platform/ids.ts'
import type { OperatorRole } from '#platform/operators/operators-project.ts'
import { inTeam } from '../errors.ts'
import type { TeamInvitation } from './schema.ts'

// Ask these of the live side of a project.

/** Everybody in the team, those who have been in it longest first. */
export const listTeam = defineQuery('team', () =>
  query
    .selectFrom('team_members')
    .select(['id', 'role', 'added_by', 'created_at'])
    .orderBy('created_at')
    .orderBy('id'),
)

/** The owners, locked: of two changes at the same time, the second one sees what the first one left. */
export const lockOwners = defineQuery('lock_owners', () =>
  query.selectFrom('team_members').select('id').where('role', '=', 'owner').orderBy('id').forUpdate(),
).map(({ id }) => id)

export const lockTeamMember = defineQuery('lock_team_member', (v: { id: string }) =>
  query.selectFrom('team_members').select(['id', 'role']).where('id', '=', v.id).forUpdate(),
)
  .map(({ id, role }) => ({ id, role: role as OperatorRole }))
  .one('Operator')

interface NewRow {
  id: string
  role: OperatorRole
  added_by: string | null
}

/** @throws ApiError 422 IN_TEAM */
export const insertTeamMember = defineQuery(
  'insert_team_member',
  (v: NewRow) => query.insertInto('team_members').values(pick(v, 'id', 'role', 'added_by')),
  { team_members_pkey: inTeam },
)

/** Tokens of the former role end with its `grant_id`. */
export const setTeamRole = defineQuery('set_team_role', (v: NewRow) =>
  query
    .updateTable('team_members')
    .set({ role: v.role, added_by: v.added_by, grant_id: sql`gen_random_uuid()`, updated_at: sql`now()` })
    .where('id', '=', v.id),
)

export const deleteTeamMember = defineQuery('delete_team_member', (v: { id: string }) =>
  query.deleteFrom('team_members').where('id', '=', v.id),
)

const invitations = () =>
  query
    .selectFrom('team_invitations')
    .select(['id', 'invitee', 'role', 'invited_by', 'created_at', 'expires_at'])

const toInvitation = ({
  id,
  invitee,
  role,
  ...row
}: InferResult<ReturnType<typeof invitations>>[number]): TeamInvitation => ({
  ...row,
  id: toId(invitationId, id),
  email: invitee,
  role: role as OperatorRole,
})

/** Those that can still be accepted, the newest first. */
export const listTeamInvitations = defineQuery('team_invitations', () =>
  invitations().where('expires_at', '>', sql<string>`now()`).orderBy('id', 'desc'),
).map(toInvitation)

/** How long an invitation to a team is good for. */
const DAYS = 7

/** Invites an address; an earlier invitation of the same address is replaced. */
export const putTeamInvitation = defineQuery(
  'put_team_invitation',
  (v: {
    id: string
    invitee: string
    invitee_key: string
    role: OperatorRole
    invited_by: string | null
  }) => {
    const expires_at = sql<string>`now() + make_interval(days => ${sql.lit(DAYS)})`
    const row = pick(v, 'id', 'invitee', 'invitee_key', 'role', 'invited_by')
    return query
      .insertInto('team_invitations')
      .values({ ...row, expires_at })
      .onConflict((conflict) =>
        conflict
          .columns(['project_id', 'invitee_key'])
          .doUpdateSet({ role: v.role, invited_by: v.invited_by, created_at: sql`now()`, expires_at }),
      )
      .returning(['id', 'invitee', 'role', 'invited_by', 'created_at', 'expires_at'])
  },
)
  .map(toInvitation)
  .single()

/** Withdraws an invitation. @throws ApiError 404 */
export const deleteTeamInvitation = defineQuery('delete_team_invitation', (v: { id: string }) =>
  query.deleteFrom('team_invitations').where('id', '=', v.id).returning(['id', 'role']),
).one('Invitation')

/** Uses up an invitation to an address. @throws ApiError 404 where there is none any more */
export const takeTeamInvitation = defineQuery(
  'take_team_invitation',
  (v: { id: string; invitee_key: string }) =>
    query
      .deleteFrom('team_invitations')
      .where('id', '=', v.id)
      .where('invitee_key', '=', v.invitee_key)
      .where('expires_at', '>', sql<string>`now()`)
      .returning(['role', 'invited_by']),
)
  .map(({ role, invited_by }) => ({ role: role as OperatorRole, invited_by }))
  .one('Invitation')
