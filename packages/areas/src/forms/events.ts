import { Type } from 'typebox'
import { defineEvent } from '#platform/events/emit.ts'
import { exampleOf } from '#platform/http/example.ts'
import { Form } from './schema.ts'
import { Submission } from './submissions/schema.ts'

const form = exampleOf(Form) as never
const submission = exampleOf(Submission) as never

export const formCreated = defineEvent({
  name: 'form.created',
  description: 'A form was made, as a draft',
  data: Form,
  example: form,
  member: () => null,
})
export const formUpdated = defineEvent({
  name: 'form.updated',
  description: 'A form was changed; visitors see its fields and settings as they were until it is published',
  data: Form,
  example: form,
  member: () => null,
})
export const formPublished = defineEvent({
  name: 'form.published',
  description: 'Visitors see a form as it is now',
  data: Form,
  example: form,
  member: () => null,
})
export const formArchived = defineEvent({
  name: 'form.archived',
  description: 'A form takes no more submissions',
  data: Form,
  example: form,
  member: () => null,
})
export const formDeleted = defineEvent({
  name: 'form.deleted',
  description: 'A form was deleted, and all its submissions with it',
  data: Type.Object({ id: Form.properties.id }),
  example: { id: 'form_01jcq3k8f7e8qtk4m3hbw7rn2k' },
  member: () => null,
})
export const submissionCreated = defineEvent({
  name: 'form_submission.created',
  description: 'A form was submitted. What is taken for spam is not announced',
  data: Submission,
  example: submission,
  member: ({ member_id }) => member_id,
})
export const submissionUpdated = defineEvent({
  name: 'form_submission.updated',
  description: 'A submission was found to be spam, or not to be',
  data: Submission,
  example: submission,
  member: ({ member_id }) => member_id,
})
export const submissionDeleted = defineEvent({
  name: 'form_submission.deleted',
  description: 'A submission was deleted, and its files with it',
  data: Type.Object({ id: Submission.properties.id, form_id: Submission.properties.form_id }),
  example: { id: 'sub_01jcq3k8f7e8qtk4m3hbw7rn2m', form_id: 'form_01jcq3k8f7e8qtk4m3hbw7rn2k' },
  member: () => null,
})
