import { audit } from '#platform/audit.ts'
import type { Context } from '#platform/db/tenant.ts'
import { emit } from '#platform/events/emit.ts'
import { newUuid, toId } from '#platform/ids.ts'
import { enqueue } from '#platform/jobs/enqueue.ts'
import { formIncomplete, notPublished } from '../errors.ts'
import { formArchived, formCreated, formDeleted, formPublished } from '../events.ts'
import { formId } from '../ids.ts'
import type { Form, FormChanges, NewForm, Settings, SettingsChanges } from '../schema.ts'
import { assertForm } from './check-form.ts'
import {
  getForm,
  insertForm,
  insertVersion,
  lockForm,
  markFormDeleted,
  patchForm,
  setFormStatus,
} from './queries.ts'
import { removeForm } from './remove-form.job.ts'

const NAME_LENGTH = 200

/** @throws ApiError 422 for a form that does not hold together */
export async function createForm(ctx: Context, input: NewForm): Promise<Form> {
  const { name, description = '', type = 'custom', fields = [], settings = {} } = input
  assertForm({ type, fields, settings })
  const id = newUuid()
  insertForm(ctx, {
    id,
    name,
    description,
    type,
    fields: JSON.stringify(fields),
    settings: JSON.stringify(settings),
  })
  const form = await getForm(ctx, { id })
  emit(ctx, formCreated, form)
  return form
}

/**
 * Changes what is given and nothing else; settings are merged, fields are replaced as a whole.
 * @throws ApiError 404; 422 for a form that does not hold together
 */
export async function updateForm(ctx: Context, id: string, changes: FormChanges): Promise<Form> {
  if (Object.keys(changes).length > 0) {
    const { type, fields, settings } = await lockForm(ctx, { id })
    assertForm({
      type: changes.type ?? type,
      fields: changes.fields ?? fields,
      settings: merged(settings, changes.settings),
    })
  }
  return patchForm(ctx, { id, changes, ifMatch: undefined })
}

/** Settings with changes in them; those that are null go. */
function merged(settings: Settings, changes: SettingsChanges = {}): Settings {
  const entries = Object.entries({ ...settings, ...changes }).filter(([, value]) => value !== null)
  return Object.fromEntries(entries) as Settings
}

/** @throws ApiError 404; 422 FORM_INCOMPLETE */
export async function publishForm(ctx: Context, id: string): Promise<Form> {
  const before = await lockForm(ctx, { id })
  assertComplete(before)
  const published = await insertVersion(ctx, { id })
  // Visitors already see this version.
  if (published === undefined && before.status === 'published') return before
  setFormStatus(ctx, { id, status: 'published', version: published?.version ?? before.version })
  const form = await getForm(ctx, { id })
  emit(ctx, formPublished, form)
  return form
}

/** @throws ApiError 404; 422 FORM_NOT_PUBLISHED for one that never was */
export async function archiveForm(ctx: Context, id: string): Promise<Form> {
  const before = await lockForm(ctx, { id })
  if (before.status === 'draft') throw notPublished()
  if (before.status === 'archived') return before
  setFormStatus(ctx, { id, status: 'archived', version: before.version })
  const form = await getForm(ctx, { id })
  emit(ctx, formArchived, form)
  return form
}

/** Copies a form as a draft, without its submissions. @throws ApiError 404 */
export async function duplicateForm(ctx: Context, id: string): Promise<Form> {
  const { name, description, type, fields, settings } = await getForm(ctx, { id })
  const suffix = ' (copy)'
  const copy = [...name].slice(0, NAME_LENGTH - suffix.length).join('') + suffix
  return createForm(ctx, { name: copy, description, type, fields, settings })
}

/** Deletes a form. It disappears at once; a job removes its submissions. @throws ApiError 404 */
export async function deleteForm(ctx: Context, id: string): Promise<void> {
  const before = await markFormDeleted(ctx, { id })
  enqueue(ctx, removeForm, { form_id: id })
  emit(ctx, formDeleted, { id: toId(formId, id) })
  audit(ctx, { action: 'form.delete', target: toId(formId, id), before })
}

function assertComplete({ type, fields, settings }: Form): void {
  if (fields.every((field) => field.type === 'section')) throw formIncomplete()
  if (type === 'signup' && settings.signup === undefined) throw formIncomplete()
}
