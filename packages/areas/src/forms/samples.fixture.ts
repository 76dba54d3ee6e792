import { makeForm, submitForm } from '#testkit/areas/forms.ts'

/** What the paths of forms name. */
export const samples = {
  form: makeForm,
  sub: submitForm,
}
