import { type InferResult, type RawBuilder, sql } from 'kysely'
import { now } from '#platform/db/project-clock.ts'
import { defineLookup, defineQuery } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import { invalidField } from '#platform/errors.ts'
import { definePatch, field, mergedField } from '#platform/http/define-patch.ts'
import { isTimeZone } from '#platform/values/time-zone.ts'
import { KIND_NAMES, KINDS, type Kind, type MailMode } from '../kinds.ts'
import { PreferenceChanges, type Preferences } from './schema.ts'

interface Channels {
  readonly in_product?: boolean
  readonly mail?: MailMode
}
type Stored = { readonly [K in Kind]?: Channels } & { readonly time_zone: string | null }

const stored = (v: { id: string }) =>
  query
    .selectFrom('members as m')
    .leftJoin('notification_preferences as s', 's.id', 'm.id')
    .select('s.time_zone')
    .select(KIND_NAMES.map((kind) => `s.${kind}` as const))
    .where('m.id', '=', v.id)

const toPreferences = (row: InferResult<ReturnType<typeof stored>>[number]): Preferences => {
  const { time_zone, ...own } = row as unknown as Stored
  const kinds = KIND_NAMES.map((kind) => [
    kind,
    { in_product: own[kind]?.in_product ?? true, mail: own[kind]?.mail ?? KINDS[kind].mail },
  ])
  return { time_zone, ...Object.fromEntries(kinds) }
}

/** @throws ApiError 404 */
export const getPreferences = defineLookup('notification_preferences', stored)
  .map(toPreferences)
  .one('Member')

/** Makes the row of a member's preferences where there is none yet. */
export const makePreferences = defineQuery('make_notification_preferences', (v: { ids: readonly string[] }) =>
  query
    .insertInto('notification_preferences')
    .columns(['id'])
    .expression(sql`select unnest(${v.ids}::uuid[])`)
    .onConflict((conflict) => conflict.doNothing()),
)

/** Changes what is sent. @throws ApiError 404; 422 for what is no time zone */
export const updatePreferences = definePatch('notification_preferences', {
  body: PreferenceChanges,
  current: getPreferences,
  columns: [],
  fields: {
    ...(Object.fromEntries(KIND_NAMES.map((kind) => [kind, mergedField(kind)])) as Record<
      Kind,
      ReturnType<typeof mergedField>
    >),
    time_zone: field(
      (zone: string | null) => {
        if (zone !== null && !isTimeZone(zone))
          throw invalidField('time_zone', 'timezone', 'must be an IANA time zone, like Europe/Berlin')
        return { time_zone: zone }
      },
      (v) => ({ time_zone: v.time_zone }),
    ),
  },
})

const DEFAULT_MAILS = JSON.stringify(Object.fromEntries(KIND_NAMES.map((kind) => [kind, KINDS[kind].mail])))

/** Whether a kind is listed for the member whose preferences are the row `s`, if there is one. */
export const isListed = (kind: RawBuilder<string>): RawBuilder<boolean> =>
  sql<boolean>`coalesce((to_jsonb(s) -> ${kind} ->> 'in_product')::boolean, true)`

/** When a kind is mailed to that member, of the project `p`, whose status is `active`; null for never. */
export const mailTime = (kind: RawBuilder<string>): RawBuilder<string | null> => sql<
  string | null
>`app.notification_mail_at(
  coalesce(to_jsonb(s) -> ${kind} ->> 'mail', ${DEFAULT_MAILS}::jsonb ->> ${kind}),
  coalesce(s.time_zone, p.timezone), s.last_mail_at, ${now})`

/** Applies new preferences to the waiting mails of a member. */
export const rescheduleMails = defineQuery('reschedule_notification_mails', (v: { id: string }) =>
  query
    .updateTable('notifications as n')
    .from('notification_preferences as s')
    .innerJoin('projects as p', 'p.id', 's.project_id')
    .set({ mail_at: mailTime(sql<string>`n.kind`) })
    .whereRef('s.id', '=', 'n.member_id')
    .where('n.member_id', '=', v.id)
    .where('n.mail_at', 'is not', null),
)
