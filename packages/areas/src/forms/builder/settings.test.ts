import { expect, test } from 'vitest'
import { makeForm } from '#testkit/areas/forms.ts'
import type { Side } from '#testkit/factories.ts'
import { withProjects } from '#testkit/with-api.ts'
import type { Form } from '../schema.ts'

let side: Side

withProjects((_api, one) => {
  side = one.live
})

test('a change of settings is merged: what is null goes, what is not named stays', async () => {
  const form = await makeForm(side, { settings: { submit_button_text: 'Send', success_message: 'Thanks' } })
  const change = { settings: { success_message: null, redirect_url: 'https://example.com/thanks' } }
  const { status, body } = await side.admin.patch<{ data: Form }>(`/forms/${form.id}`, change)
  expect(status).toBe(200)
  const settings = { submit_button_text: 'Send', redirect_url: 'https://example.com/thanks' }
  expect(body.data.settings).toEqual(settings)
  const read = await side.admin.get<{ form: Form }>(`/forms/${form.id}`)
  expect(read.body.form.settings).toEqual(settings)
})
