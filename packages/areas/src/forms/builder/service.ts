import type { Context } from '#platform/db/tenant.ts'
import { emit } from '#platform/events/emit.ts'
import { newUuid, toId } from '#platform/ids.ts'
import { enqueue } from '#platform/jobs/enqueue.ts'
import { formIncomplete, notPublished } from '../errors.ts'
import { formArchived, formCreated, formDeleted, formPublished, formUpdated } from '../events.ts'
import { formId } from '../ids.ts'
import { type CountedFormRow, type FormRow, fieldsOf, settingsOf, toForm } from '../rows.ts'
import type { Form, FormChanges, FormType, NewForm, Settings, SettingsChanges } from '../schema.ts'
import { assertForm } from './check-form.ts'
import {
  getForm,
  insertFormRow,
  lockForm,
  markFormDeleted,
  publishVersionRow,
  setFormStatus,
  updateFormRow,
} from './queries.ts'
import { removeFormJob } from './remove-form.job.ts'

const NAME_LENGTH = 200

/** @throws ApiError 422 for a form that does not hold together */
export async function createForm(ctx: Context, input: NewForm): Promise<Form> {
  const { name, description = '', type = 'custom', fields = [], settings = {} } = input
  assertForm({ type, fields, settings })
  const row = await insertFormRow(ctx, {
    id: newUuid(),
    name,
    description,
    type,
    fields: JSON.stringify(fields),
    settings: JSON.stringify(settings),
  })
  const form = toForm({ ...row, submission_count: 0 })
  emit(ctx, formCreated, form)
  return form
}

/**
 * Changes what is given and nothing else; settings are merged, fields are replaced as a whole.
 * @throws ApiError 404; 422 for a form that does not hold together
 */
export async function updateForm(ctx: Context, id: string, changes: FormChanges): Promise<Form> {
  if (Object.keys(changes).length === 0) return toForm(await getForm(ctx, id))
  const before = await lockForm(ctx, id)
  const settings = merged(settingsOf(before), changes.settings)
  assertForm({
    type: changes.type ?? (before.type as FormType),
    fields: changes.fields ?? fieldsOf(before),
    settings,
  })
  const form = asCounted(await updateFormRow(ctx, id, { ...changes, settings }), before)
  emit(ctx, formUpdated, form)
  return form
}

/** Settings with changes in them; those that are null go. */
function merged(settings: Settings, changes: SettingsChanges = {}): Settings {
  const entries = Object.entries({ ...settings, ...changes }).filter(([, value]) => value !== null)
  return Object.fromEntries(entries) as Settings
}

/** @throws ApiError 404; 422 FORM_INCOMPLETE */
export async function publishForm(ctx: Context, id: string): Promise<Form> {
  const before = await lockForm(ctx, id)
  assertComplete(before)
  const published = await publishVersionRow(ctx, id)
  // Visitors already see this version.
  if (published === undefined && before.status === 'published') return toForm(before)
  const version = published?.version ?? before.version
  const form = asCounted(await setFormStatus(ctx, { id, status: 'published', version }), before)
  emit(ctx, formPublished, form)
  return form
}

/** @throws ApiError 404; 422 FORM_NOT_PUBLISHED for one that never was */
export async function archiveForm(ctx: Context, id: string): Promise<Form> {
  const before = await lockForm(ctx, id)
  if (before.status === 'draft') throw notPublished()
  if (before.status === 'archived') return toForm(before)
  const form = asCounted(
    await setFormStatus(ctx, { id, status: 'archived', version: before.version }),
    before,
  )
  emit(ctx, formArchived, form)
  return form
}

/** Copies a form as a draft, without its submissions. @throws ApiError 404 */
export async function duplicateForm(ctx: Context, id: string): Promise<Form> {
  const form = await getForm(ctx, id)
  const suffix = ' (copy)'
  return createForm(ctx, {
    name: [...form.name].slice(0, NAME_LENGTH - suffix.length).join('') + suffix,
    description: form.description,
    type: form.type as FormType,
    fields: fieldsOf(form),
    settings: settingsOf(form),
  })
}

/** Deletes a form. It disappears at once; a job removes its submissions. @throws ApiError 404 */
export async function deleteForm(ctx: Context, id: string): Promise<void> {
  await markFormDeleted(ctx, id)
  enqueue(ctx, removeFormJob, { form_id: id })
  emit(ctx, formDeleted, { id: toId(formId, id) })
}

const asCounted = (row: FormRow, { submission_count }: CountedFormRow): Form =>
  toForm({ ...row, submission_count })

function assertComplete(row: FormRow): void {
  if (!fieldsOf(row).some(({ type }) => type !== 'section')) throw formIncomplete()
  if (row.type === 'signup' && settingsOf(row).signup === undefined) throw formIncomplete()
}
