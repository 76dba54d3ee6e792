import type { FormField, FormOperation } from '../../data/form-fields.ts'

// The bodies of the console's own API, which the API's document does not have.

const url = (name: string): FormField => ({
  name,
  type: 'text',
  max: 2_000,
  nullable: true,
  format: 'web-url',
})
const texts = (name: string): FormField => ({
  ...{ name, type: 'list', max: 100 },
  item: { name: '', type: 'text', max: 2_000 },
})
const words = (name: string, all: readonly string[]): FormField => ({
  ...{ name, type: 'list' },
  item: { name: '', type: 'text', words: all },
})
const whole = (name: string, min: number, max: number): FormField => ({
  ...{ name, type: 'integer', min, max, required: true },
})
const choice = (name: string, all: readonly string[]): FormField => ({
  ...{ name, type: 'text', words: all, required: true },
})
const yesNo = (name: string): FormField => ({ name, type: 'boolean' })

/** PATCH /console/api/projects/{id}/settings/{environment} */
export const settingsUpdate: FormOperation = {
  name: 'console.settings.update',
  takesIfMatch: true,
  address: 'PATCH /projects/{project}/settings/{side}',
  summary: 'Change the settings of one side',
  fields: [
    yesNo('email_confirmation'),
    texts('redirect_urls'),
    texts('origins'),
    texts('moderator_roles'),
    { name: 'timezone', type: 'text', required: true },
    choice('language', ['en', 'de', 'es']),
    whole('analytics_retention_months', 1, 120),
    yesNo('respect_do_not_track'),
    whole('report_threshold', 1, 1_000),
    url('discussion_url'),
    url('feedback_url'),
    yesNo('profiles_public'),
    choice('display_name_from', ['none', 'full_name']),
    words('profile_fields', ['avatar_url', 'bio', 'badges', 'member_since']),
    url('certificate_url'),
    url('billing_url'),
    whole('renewal_notice_days', 0, 60),
    { name: 'retry_days', type: 'list', max: 10, item: { name: '', type: 'integer', min: 1, max: 28 } },
    words('member_may', ['subscribe', 'change', 'cancel', 'pause', 'change_payment_method']),
    choice('on_lost_dispute', ['revoke', 'keep']),
  ],
}

/** PATCH /console/api/projects/{id} */
export const projectUpdate: FormOperation = {
  name: 'console.projects.update',
  address: 'PATCH /projects/{project}',
  summary: 'Rename a project',
  fields: [{ name: 'name', type: 'text', required: true, min: 1, max: 120 }],
}
