import { ssoRequired } from '#areas/auth/errors.ts'
import { emailTaken } from '#areas/members/errors.ts'
import { quotaExceeded } from '#areas/storage/errors.ts'
import type { Api } from '#platform/http/api.ts'
import { envelope } from '#platform/http/envelope.ts'
import { uncheckedBody, withMultipart } from '#platform/http/uploads/multipart.ts'
import { notPublished } from '../errors.ts'
import type { FormsDeps } from '../forms-deps.ts'
import { ById } from '../schema.ts'
import { NewSubmission, Receipt, SubmissionForm } from './schema.ts'
import { submit } from './submit.ts'

const errors = [notPublished, emailTaken, ssoRequired, quotaExceeded]

/** Where forms are submitted. */
export function submitRoute(api: Api, deps: FormsDeps): void {
  withMultipart(api, (scope) => {
    scope.post(
      '/forms/:id/submissions',
      {
        config: { access: { secret: 'write:forms', public: 'submit' }, errors, multipart: SubmissionForm },
        // JSON is checked by the handler, because a form with files is read while it arrives.
        validatorCompiler: uncheckedBody,
        schema: {
          operationId: 'submitForm',
          summary: 'Submit a form',
          description:
            'Send JSON, or multipart/form-data with the values as JSON in a part named `data` and each file in a part with the name of its field. Errors name the field, like `data.email`. Values of fields that are hidden by their conditions are removed, whatever they are. A signup form creates a member; its passwords are used for the member and not stored in the submission. A submission that looks like spam is stored separately and gets the same answer.',
          consumes: ['application/json', 'multipart/form-data'],
          params: ById,
          body: NewSubmission,
          response: { 201: envelope(Receipt) },
        },
      },
      async (request, reply) => {
        const { id } = request.params
        return submit(request, reply, deps, id)
      },
    )
  })
}
