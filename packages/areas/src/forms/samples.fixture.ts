import { makeForm, submitForm } from '#testkit/forms.ts'

/** What the paths of forms name. */
export const samples = {
  form: makeForm,
  sub: submitForm,
}
