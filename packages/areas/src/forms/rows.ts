import type { Selectable } from 'kysely'
import { pick } from '#platform/db/query.ts'
import type { DB } from '#platform/db/tables.generated.ts'
import { toId } from '#platform/ids.ts'
import { type MaybeTruncated, shownTruncated } from '#platform/lists/fit-page.ts'
import type { Field } from './builder/field-schema.ts'
import { formId, submissionId } from './ids.ts'
import type { Form, FormListItem, FormSchema, FormStatus, FormType, FormVersion, Settings } from './schema.ts'
import type { Submission, SubmissionStatus, Value } from './submissions/schema.ts'

/** What every query for forms reads. */
export const formColumns = [
  'id',
  'name',
  'description',
  'type',
  'status',
  'fields',
  'settings',
  'version',
  'created_at',
  'updated_at',
  'published_at',
] as const

type FormRow = Pick<Selectable<DB['forms']>, (typeof formColumns)[number]>
type CountedFormRow = FormRow & { submission_count: number }

/** Written by us alone, when they were checked. */
export const fieldsOf = (row: { fields: unknown }): Field[] => row.fields as Field[]
export const settingsOf = (row: { settings: unknown }): Settings => row.settings as Settings

type ListRow = Omit<CountedFormRow, 'fields' | 'settings' | 'version' | 'published_at'>

export const toListItem = (row: ListRow): FormListItem => ({
  id: toId(formId, row.id),
  name: row.name,
  description: row.description,
  type: row.type as FormType,
  status: row.status as FormStatus,
  submission_count: row.submission_count,
  created_at: row.created_at,
  updated_at: row.updated_at,
})

export const toForm = (row: CountedFormRow): Form => ({
  ...toListItem(row),
  fields: fieldsOf(row),
  settings: settingsOf(row),
  version: row.version,
  published_at: row.published_at,
})

export const toVersion = (
  row: Pick<Selectable<DB['form_versions']>, 'version' | 'fields' | 'settings' | 'created_at'> &
    MaybeTruncated,
): FormVersion => ({
  ...pick(row, 'version', 'created_at'),
  ...shownTruncated(row),
  fields: fieldsOf(row),
  settings: settingsOf(row),
})

interface Head {
  id: string
  name: string
  description: string
  type: string
}

/** What a page needs of a published form; how it guards itself stays here, but for the bait. */
export function toFormSchema(
  head: Head,
  {
    version,
    fields,
    settings,
  }: Pick<FormVersion, 'version'> & { fields: readonly Field[]; settings: Settings },
  token: string,
): FormSchema {
  const { submit_button_text, success_message, redirect_url, spam } = settings
  return {
    id: toId(formId, head.id),
    name: head.name,
    description: head.description,
    type: head.type as FormType,
    version,
    fields: [...fields],
    settings: {
      ...(submit_button_text !== undefined && { submit_button_text }),
      ...(success_message !== undefined && { success_message }),
      ...(redirect_url !== undefined && { redirect_url }),
    },
    ...(spam?.honeypot !== undefined && { honeypot: spam.honeypot }),
    token,
  }
}

/** What every query for submissions reads. */
export const submissionColumns = [
  'id',
  'form_id',
  'form_version',
  'status',
  'data',
  'member_id',
  'ip',
  'user_agent',
  'referrer',
  'created_at',
] as const

export type SubmissionRow = Pick<Selectable<DB['form_submissions']>, (typeof submissionColumns)[number]> &
  MaybeTruncated

/** The beginning and the end of a file's URL, around its id. */
export const fileUrl = (baseUrl: string) => [`${baseUrl}/api/v1/storage/files/`, '/content'] as const

/**
 * A submission as clients see it.
 * @param fileFields ids of the fields of its version whose values are files
 * @param baseUrl the API's address
 */
export function toSubmission(row: SubmissionRow, fileFields: readonly string[], baseUrl: string): Submission {
  const data = { ...(row.data as Record<string, Value>) }
  const [before, behind] = fileUrl(baseUrl)
  for (const id of fileFields) {
    if (Object.hasOwn(data, id)) data[id] = `${before}${data[id]}${behind}`
  }
  return {
    id: toId(submissionId, row.id),
    form_id: toId(formId, row.form_id),
    form_version: row.form_version,
    status: row.status as SubmissionStatus,
    data,
    member_id: row.member_id === null ? null : toId('member', row.member_id),
    metadata: { ip: row.ip, user_agent: row.user_agent, referrer: row.referrer },
    created_at: row.created_at,
    ...shownTruncated(row),
  }
}

/** What the files of a submission are attached to. */
export const fileTarget = (submissionId: string) => ({ kind: 'form_submission', id: submissionId })
