import type { FastifyRequest } from 'fastify'
import { shownLinks } from '#areas/storage/service.ts'
import type { Config } from '#platform/config.ts'
import { callerOf } from '#platform/http/caller.ts'
import { toId } from '#platform/ids.ts'
import type { SecretKeys } from '#platform/secrets/secret-keys.ts'
import { defaultName, FORMER_MEMBER, shownFullName } from './display-name.ts'
import type { PersonRow } from './queries.ts'
import type { Author, Profile } from './schema.ts'
import { PROFILE_FIELDS } from './settings.ts'

/** Settings that signing a link to a picture takes. */
export type LinkConfig = Pick<Config, 'BASE_URL'> & SecretKeys

/** The name that others see. */
export function shownName(row: PersonRow): string {
  if (row.is_gone) return FORMER_MEMBER
  const fullName = row.display_name_from === 'full_name' ? shownFullName(row.full_name) : ''
  return row.display_name || fullName || defaultName(row.id)
}

/** Members as others see them. */
export function toProfiles(config: LinkConfig, rows: readonly PersonRow[]): Profile[] {
  const [first] = rows
  if (first === undefined) return []
  const links = shownLinks(config, first.project_id)
  return rows.map((row) => {
    const shown = new Set<string>(row.is_gone ? [] : (row.profile_fields ?? PROFILE_FIELDS))
    const picture =
      row.avatar_file_id === null ? row.avatar_url : links.urlOf(toId('file', row.avatar_file_id))
    return {
      id: toId('member', row.id),
      display_name: shownName(row),
      avatar_url: shown.has('avatar_url') ? picture : null,
      badges: shown.has('badges') ? badgesOf(row) : [],
      bio: shown.has('bio') ? row.bio : null,
      member_since: shown.has('member_since') ? row.created_at : null,
    }
  })
}

/** What answers show of the members that they name. */
export const toAuthors = (config: LinkConfig, rows: readonly PersonRow[]): Author[] =>
  toProfiles(config, rows).map(({ id, display_name, avatar_url, badges }) => ({
    ...{ id, display_name, avatar_url, badges },
  }))

const badgesOf = ({ role, plan_name, is_default }: PersonRow): Profile['badges'] => [
  ...(role === 'member' ? [] : [{ kind: 'role' as const, name: role }]),
  ...(is_default ? [] : [{ kind: 'plan' as const, name: plan_name }]),
]

/** Whether somebody who asks sees profiles only where the project shows them to everybody. */
export const isStranger = (request: FastifyRequest): boolean => callerOf(request).actor.kind === 'public_key'
