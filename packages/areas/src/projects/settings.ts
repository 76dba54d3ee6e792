import { sql } from 'kysely'
import { queryOnce } from '#platform/db/query.ts'
import type { Context } from '#platform/db/tenant.ts'
import { type FieldFault, invalidBody, invalidField } from '#platform/errors.ts'
import { columnField, columnsOf, type Fields, valuesOf } from '#platform/http/define-patch.ts'
import type { OwnLimits } from '#platform/keys/rate-limits.ts'
import { isLanguage, LANGUAGES, type Language } from '#platform/values/languages.ts'
import { parseRedirect } from '#platform/values/redirect-url.ts'

/** How one environment of a project works: how members log in, who moderates, and whose days count. */
export interface Settings {
  /** Members with one of these roles moderate with their own token. */
  readonly moderator_roles: readonly string[]
  readonly email_confirmation: boolean
  readonly allowed_redirect_urls: readonly string[]
  readonly allowed_origins: readonly string[]
  /** The IANA zone whose days are the project's days. */
  readonly timezone: string
  /** Of what Guildhall writes for the project, such as certificates. */
  readonly language: Language
  /** Requests per minute of each key, where they are not as the tier says. */
  readonly rate_limit: number | null
  /** Other limits that are not the default. */
  readonly own_limits: OwnLimits
}

async function isTimeZone(name: string): Promise<boolean> {
  // Loading it would take a tenth of the time of the commands that need no time zone.
  const zones = await import('#platform/values/time-zone.ts')
  return zones.isTimeZone(name)
}

export interface SettingsChanges {
  readonly moderatorRoles?: readonly string[] | undefined
  readonly timezone?: string | undefined
  readonly language?: string | undefined
  readonly emailConfirmation?: boolean | undefined
  readonly redirectUrls?: readonly string[] | undefined
  readonly origins?: readonly string[] | undefined
}

/** How settings are stored. */
const FIELDS: Fields & Readonly<Record<keyof SettingsChanges, unknown>> = {
  moderatorRoles: columnField('moderator_roles'),
  timezone: columnField('timezone'),
  language: columnField('language'),
  emailConfirmation: columnField('email_confirmation'),
  redirectUrls: columnField('allowed_redirect_urls'),
  origins: columnField('allowed_origins'),
}

const COLUMNS = sql.raw(
  'moderator_roles, email_confirmation, allowed_redirect_urls, allowed_origins, timezone, language, rate_limit, own_limits',
)

/** The settings of the side. @throws ApiError 404 */
export const findSettings = (ctx: Context) =>
  queryOnce(
    'project_settings',
    sql<Settings>`select ${COLUMNS} from projects where id = ${ctx.projectId}`,
  ).one('Project')(ctx)

/** The same, locked: changes wait for the end of the transaction. With the login of an operator. @throws ApiError 404 */
export const lockSettings = (ctx: Context) =>
  queryOnce(
    'lock_project_settings',
    sql<Settings>`select ${COLUMNS} from projects where id = ${ctx.projectId} for update`,
  ).one('Project')(ctx)

/**
 * Changes what is given and nothing else. With the login of an operator.
 * @throws ApiError 404; 422 for URLs, origins, zones, languages and roles that are none
 */
export async function changeSettings(ctx: Context, changes: SettingsChanges): Promise<Settings> {
  await assertSettings(changes)
  const sent = Object.keys(FIELDS).filter((name) => changes[name as keyof SettingsChanges] !== undefined)
  const set = Object.entries(columnsOf(FIELDS, sent, valuesOf(FIELDS, sent, changes)))
  const assignments = set.map(([column, value]) => sql`${sql.ref(column)} = ${value}`)
  const update = sql<Settings>`update projects set ${sql.join([sql`updated_at = now()`, ...assignments])}
    where id = ${ctx.projectId} returning ${COLUMNS}`
  return queryOnce('change_project_settings', update).one('Project')(ctx)
}

/** @throws ApiError 422 for the first that does not fit */
export async function assertSettings(changes: SettingsChanges): Promise<void> {
  const { redirectUrls, origins, timezone, language } = changes
  assertAll(
    'redirect_urls',
    redirectUrls,
    (url) => parseRedirect(url) !== undefined,
    'must be an http or https URL',
  )
  assertAll('origins', origins, isOrigin, 'must be an origin like https://example.com')
  if (timezone !== undefined && !(await isTimeZone(timezone)))
    throw invalidField('timezone', 'timezone', 'must be an IANA time zone, like Europe/Berlin')
  if (language !== undefined && !isLanguage(language))
    throw invalidField('language', 'enum', `must be one of ${LANGUAGES.join(', ')}`)
  const wrongRoles = rolesFaults(changes.moderatorRoles)
  if (wrongRoles.length > 0) throw invalidBody(wrongRoles)
}

const MOST_ROLES = 20
const ROLE = /^[a-z][a-z0-9_-]{0,31}$/

/** A role that no member can have would moderate nothing, and `member` is everybody who joins. */
function rolesFaults(roles: readonly string[] = []): FieldFault[] {
  if (roles.length > MOST_ROLES)
    return [{ field: 'moderator_roles', rule: 'length', message: `must have at most ${MOST_ROLES} roles` }]
  return roles.flatMap((role, i) => {
    const field = `moderator_roles[${i}]`
    if (role === 'member')
      return [
        { field, rule: 'value', message: 'is the role of every member: everybody would be a moderator' },
      ]
    return ROLE.test(role) ? [] : [{ field, rule: 'pattern', message: 'is not a role that members can have' }]
  })
}

const isOrigin = (text: string): boolean => URL.canParse(text) && new URL(text).origin === text

function assertAll(
  field: string,
  values: readonly string[] = [],
  fits: (value: string) => boolean,
  message: string,
): void {
  const faults = values.flatMap((value, i) =>
    fits(value) ? [] : [{ field: `${field}[${i}]`, rule: 'value', message }],
  )
  if (faults.length > 0) throw invalidBody(faults)
}
