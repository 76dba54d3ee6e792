/** The data that the bench exports: one form of ten fields, and the members beside it. */

import type pg from 'pg'
import { formId } from '#areas/forms/ids.ts'
import { newUuid, toId } from '#platform/ids.ts'
import { makeTenant, type Tenant } from '../data.ts'
import type { Rig, Server } from '../rig.ts'
import { readAll } from './reader.ts'

/** What people answer, in the words of PostgreSQL; `n` counts them. A third begins like a formula or a number. */
const FIELDS: readonly (readonly [id: string, label: string, value: string])[] = [
  ['name', 'Your name', "'Person ' || n"],
  ['email', 'Your email', "'person-' || n || '@example.com'"],
  ['phone', 'Phone', "'+43 660 ' || n"],
  ['city', 'City', "'City ' || n % 1000"],
  ['age', 'Age', 'n % 90'],
  ['balance', 'Balance', '-n'],
  ['website', 'Website', "'https://example.com/' || n"],
  ['subject', 'Subject', "'Question ' || n"],
  ['message', 'Message', '\'I have seen that it costs 20, or "about 20". Is this so? \' || n'],
  ['news', 'Newsletter', 'n % 2 = 0'],
]

export const FIELD_IDS = FIELDS.map(([id]) => id)

/** A project with a form, and how to call it. */
export interface FormTenant extends Tenant {
  /** As it is stored, and as the API shows it. */
  readonly form: { readonly uuid: string; readonly id: string }
}

/** Makes the project and the form, and loads so many submissions, one a second until now. */
export async function loadSubmissions(rig: Rig, owner: pg.Client, count: number): Promise<FormTenant> {
  const tenant = await makeTenant(rig, ['read:members', 'read:forms'])
  const uuid = newUuid()
  await owner.query("select set_config('app.project_id', $1, false)", [tenant.projectId])
  const fields = JSON.stringify(FIELDS.map(([field, label]) => ({ id: field, type: 'text', label })))
  await owner.query(
    "insert into forms (id, name, type, status, fields, version, created_at, updated_at) values ($1, 'Bench', 'custom', 'published', $2, 1, now(), now())",
    [uuid, fields],
  )
  await owner.query(
    "insert into form_versions (form_id, version, fields, settings, created_at) values ($1, 1, $2, '{}', now())",
    [uuid, fields],
  )
  // What a search stands on takes longer to fill than everything else, and no export uses it.
  await owner.query('drop index form_submissions_search')
  await owner.query(LOAD, [uuid, count])
  return { ...tenant, form: { uuid, id: toId(formId, uuid) } }
}

const LOAD = `
  insert into form_submissions (id, form_id, form_version, data, member_id, ip, user_agent, referrer, created_at)
  select uuidv7(at - now()), $1, 1, jsonb_build_object(${FIELDS.map(([id, , value]) => `'${id}', ${value}`)}), null,
    '192.0.2.' || n % 256, 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36', 'https://example.com/contact', at
  from generate_series(1, $2::int) as n, lateral (select now() - ($2::int - n) * interval '1 second' as at) as sent`

export const exportUrl = ({ origin }: Server, { form }: FormTenant, query: string): string =>
  `${origin}/api/v1/forms/${form.id}/submissions/export?${query}`

/** Begins to read exports, so many at a time, one after the other. @returns how to end it; it answers the bytes that were read */
export function readingExports(api: Server, tenant: FormTenant, together: number): () => Promise<number> {
  const leaving = new AbortController()
  let bytes = 0
  const reading = Array.from({ length: together }, async () => {
    while (!leaving.signal.aborted) {
      const read = await readAll(exportUrl(api, tenant, 'format=csv'), tenant.authorization, leaving.signal)
      bytes += read.bytes
    }
  })
  return async () => {
    leaving.abort()
    await Promise.all(reading)
    return bytes
  }
}
