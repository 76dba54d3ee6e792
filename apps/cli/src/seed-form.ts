import { createForm, publishForm } from '#areas/forms/builder/service.ts'
import { CompiledForm } from '#areas/forms/evaluation/compiled-form.ts'
import { formId } from '#areas/forms/ids.ts'
import type { NewForm } from '#areas/forms/schema.ts'
import { keepSubmission } from '#areas/forms/submissions/submissions.ts'
import type { Context } from '#platform/db/tenant.ts'
import { newUuid, parseId } from '#platform/ids.ts'

const CONTACT: NewForm = {
  name: 'Contact us',
  description: 'We answer within a day',
  type: 'contact',
  fields: [
    { id: 'name', type: 'text', label: 'Your name', required: true },
    { id: 'email', type: 'email', label: 'Your email', required: true },
    {
      id: 'topic',
      type: 'select',
      label: 'What is it about?',
      options: [
        { value: 'question', label: 'A question' },
        { value: 'order', label: 'An order' },
      ],
    },
    {
      id: 'order_number',
      type: 'text',
      label: 'Order number',
      validation: { pattern: '[A-Z]{2}-[0-9]{4}' },
      visible_if: { conditions: [{ field: 'topic', operator: 'equals', value: 'order' }] },
    },
    { id: 'message', type: 'textarea', label: 'Message', required: true },
    { id: 'rating', type: 'rating', label: 'How do you like us?' },
    { id: 'consent', type: 'consent', label: 'You may answer me', required: true },
  ],
  settings: {
    submit_button_text: 'Send',
    success_message: 'Thank you! We have got it.',
    spam: { honeypot: 'website_url' },
  },
}

/** Among them what makes spreadsheets stumble: quotes, line breaks, formulas and letters beyond ASCII. */
const SUBMISSIONS = [
  {
    name: 'Ada Lovelace',
    email: 'ada@example.com',
    topic: 'question',
    message: 'Do you take "punched cards",\nor only tapes?',
    rating: 5,
    consent: true,
  },
  {
    name: 'Zoë Kruså 🙂',
    email: 'zoe@example.com',
    topic: 'order',
    order_number: 'GH-1843',
    message: '=HYPERLINK("https://example.com"; "Where is my order?")',
    rating: 2,
    consent: true,
  },
  { name: "O'Brien, Max", email: 'max@example.com', message: '-5 degrees here; and you?', consent: true },
]

/** Publishes a contact form, and submits it a few times. */
export async function seedForm(ctx: Context): Promise<void> {
  const { id } = await createForm(ctx, CONTACT)
  const stored = parseId(formId, id) ?? ''
  const { version, fields, settings } = await publishForm(ctx, stored)
  const form = new CompiledForm(version, fields, settings)
  for (const [i, submission] of SUBMISSIONS.entries()) {
    const row = {
      id: newUuid(),
      form_id: stored,
      form_version: version,
      status: 'received' as const,
      data: JSON.stringify(form.evaluate(submission).data),
      member_id: null,
      ip: `192.0.2.${i + 1}`,
      user_agent: 'Mozilla/5.0',
      referrer: 'https://example.com/contact',
      digest: null,
      duplicate_seconds: 0,
    }
    // No field of it is a file, so that nothing depends on where the API is.
    await keepSubmission(ctx, form, row, '')
  }
}
