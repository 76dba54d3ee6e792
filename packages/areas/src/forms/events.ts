import { Type } from 'typebox'
import { defineEvent } from '#platform/events/emit.ts'
import { exampleOf } from '#platform/http/example.ts'
import { Form } from './schema.ts'
import { Submission } from './submissions/schema.ts'

const form = exampleOf(Form)
const submission = exampleOf(Submission)

export const formCreated = defineEvent({
  name: 'form.created',
  description: 'A form was created as a draft',
  data: Form,
  example: form,
  member: () => null,
})
export const formUpdated = defineEvent({
  name: 'form.updated',
  description: 'A form was changed; visitors see the changed fields and settings after the next publish',
  data: Form,
  example: form,
  member: () => null,
})
export const formPublished = defineEvent({
  name: 'form.published',
  description: 'A form was published',
  data: Form,
  example: form,
  member: () => null,
})
export const formArchived = defineEvent({
  name: 'form.archived',
  description: 'A form was archived and accepts no more submissions',
  data: Form,
  example: form,
  member: () => null,
})
export const formDeleted = defineEvent({
  name: 'form.deleted',
  description: 'A form was deleted, with all its submissions',
  data: Type.Object({ id: Form.properties.id }),
  example: { id: 'form_01jcq3k8f7e8qtk4m3hbw7rn2k' },
  member: () => null,
})
export const submissionCreated = defineEvent({
  name: 'form_submission.created',
  description: 'A form was submitted. There is no event for a submission that looks like spam',
  data: Submission,
  example: submission,
  member: ({ member_id }) => member_id,
})
export const submissionUpdated = defineEvent({
  name: 'form_submission.updated',
  description: 'A submission was marked as spam, or as not spam',
  data: Submission,
  example: submission,
  member: ({ member_id }) => member_id,
})
export const submissionDeleted = defineEvent({
  name: 'form_submission.deleted',
  description: 'A submission was deleted, with its files',
  data: Type.Object({ id: Submission.properties.id, form_id: Submission.properties.form_id }),
  example: { id: 'sub_01jcq3k8f7e8qtk4m3hbw7rn2m', form_id: 'form_01jcq3k8f7e8qtk4m3hbw7rn2k' },
  member: () => null,
})
