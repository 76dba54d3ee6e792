import { sql } from 'kysely'
import { type People, personalData } from '#platform/catalogue/personal-data.ts'
import { defineQuery } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import { connectionId, factorId, invitationId } from './ids.ts'

/** One that was made after somebody was deleted is of whoever has the address by now. */
const eraseInvitations = defineQuery('erase_invitations_of_members', (v: People) =>
  query.deleteFrom('invitations').where(
    sql<boolean>`(member_id = any (${v.memberIds}::uuid[]) or (email_key = any (${v.emails}::text[])
      and not (member_id is null and exists (select from members as m where m.id = any (${v.memberIds}::uuid[])
        and m.deleted_at < invitations.created_at))))`,
  ),
)

/** How members come in, and where they are logged in. Hashes, keys and sealed secrets are never shown. */
export const memberData = [
  personalData({
    table: 'sessions',
    member: 'member_id',
    columns: [
      'id',
      'aal',
      'amr',
      'ip',
      'user_agent',
      'created_at',
      'last_seen_at',
      'expires_at',
      'ended_at',
      'end_reason',
    ],
    ids: { id: 'session' },
  }),
  personalData({
    table: 'one_time_tokens',
    member: 'member_id',
    email: 'subject',
    columns: ['purpose', 'email', 'redirect_url', 'created_at', 'expires_at'],
  }),
  personalData({
    table: 'mfa_factors',
    member: 'member_id',
    columns: ['id', 'type', 'name', 'confirmed_at', 'created_at'],
    ids: { id: factorId },
  }),
  personalData({ table: 'recovery_codes', member: 'member_id', columns: ['used_at'] }),
  personalData({
    table: 'passkeys',
    member: 'member_id',
    columns: ['rp_id', 'name', 'transports', 'created_at', 'last_used_at'],
  }),
  personalData({ table: 'passkey_challenges', member: 'member_id', columns: ['rp_id', 'expires_at'] }),
  personalData({
    table: 'sso_identities',
    member: 'member_id',
    columns: ['connection_id', 'subject', 'created_at', 'last_login_at'],
    ids: { connection_id: connectionId },
  }),
  personalData({
    table: 'sso_codes',
    member: 'member_id',
    columns: ['connection_id', 'amr', 'created_at', 'expires_at'],
    ids: { connection_id: connectionId },
  }),
  personalData({
    table: 'invitations',
    member: 'member_id',
    email: 'email_key',
    columns: [
      ...(['id', 'email', 'role', 'full_name', 'status', 'created_at', 'sent_at', 'expires_at'] as const),
      ...(['accepted_at', 'revoked_at'] as const),
    ],
    ids: { id: invitationId },
    erase: async (ctx, people) => {
      eraseInvitations(ctx, people)
    },
  }),
]
