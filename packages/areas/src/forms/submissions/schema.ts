import { type Static, Type } from 'typebox'
import { nullable, oneOf, pathId, strict, Timestamp } from '#platform/http/envelope.ts'
import { includeParameter } from '#platform/http/include.ts'
import { createdParameters, searchIn, sortParameters } from '#platform/http/list-parameters.ts'
import { pageParameters, Truncated } from '#platform/http/page.ts'
import { formId, submissionId } from '../ids.ts'
import { FormId } from '../schema.ts'

export const SUBMISSION_STATUSES = ['received', 'spam'] as const
export type SubmissionStatus = (typeof SUBMISSION_STATUSES)[number]

const SubmissionId = Type.String({
  description: 'The id of a submission',
  examples: ['sub_01jcq3k8f7e8qtk4m3hbw7rn2m'],
})
const MemberId = { examples: ['mem_01jcq3k8f7e8qtk4m3hbw7rn2d'] }
const FormVersion = Type.Integer({ description: 'The version of the form that was submitted', examples: [1] })

/** What can be submitted, or is stored, under a field's id. */
export type Value = string | number | boolean | string[]

const examples = [{ email: 'ada@example.com', message: 'Hello' }]

/** Values by field id, as they are sent; what each may be, the form says. */
const DataIn = Type.Unsafe<Record<string, Value | null>>({
  type: 'object',
  maxProperties: 500,
  additionalProperties: {
    type: ['string', 'number', 'boolean', 'array', 'null'],
    maxLength: 100_000,
    maxItems: 200,
    items: { type: 'string', maxLength: 200 },
  },
  description:
    'Values by field id. The value of a file field is the id of a stored file, with a secret key only',
  examples,
})

export const Submission = Type.Object(
  {
    id: SubmissionId,
    form_id: FormId,
    form_version: FormVersion,
    status: oneOf(SUBMISSION_STATUSES, { description: '`spam` submissions are kept separately' }),
    data: Type.Unsafe<Record<string, Value>>({
      type: 'object',
      additionalProperties: true,
      description: 'Values by field id. Files are URLs; passwords are never included',
      examples,
    }),
    member_id: nullable(
      Type.String({ description: 'The member who submitted the form; null if it is unknown', ...MemberId }),
    ),
    metadata: Type.Object({
      ip: Type.String({ examples: ['192.0.2.1'] }),
      user_agent: Type.String({ examples: ['Mozilla/5.0'] }),
      referrer: Type.String({ examples: ['https://example.com/contact'] }),
    }),
    created_at: Timestamp(),
    truncated: Truncated,
  },
  { title: 'FormSubmission' },
)
export type Submission = Static<typeof Submission>

/** What the list of the contract leaves out, and `include` brings. */
export const INCLUDES = ['form_version', 'status'] as const
const byInclude = (field: (typeof INCLUDES)[number]) => `Present with \`include=${field}\``
const { form_version, status, ...listed } = Submission.properties

/** A submission in a list. */
export const ListedSubmission = Type.Object(
  {
    ...listed,
    form_version: Type.Optional({
      ...form_version,
      description: `The version of the form that was submitted. ${byInclude('form_version')}`,
    }),
    status: Type.Optional({ ...status, description: byInclude('status') }),
  },
  { title: 'ListedFormSubmission' },
)

/** The answer to a submission. It is the same for spam. */
export const Receipt = Type.Object(
  {
    id: SubmissionId,
    form_id: FormId,
    form_version: FormVersion,
    created_at: Timestamp(),
    success_message: Type.Optional(Type.String({ examples: ['Thank you!'] })),
    redirect_url: Type.Optional(Type.String({ examples: ['https://example.com/thanks'] })),
  },
  { title: 'SubmissionReceipt' },
)
export type Receipt = Static<typeof Receipt>

const MemberField = Type.String({
  description: 'The member who submits the form; with a secret key only',
  ...MemberId,
})
const Token = Type.String({
  maxLength: 200,
  description: 'The token of the form as it was read',
  examples: ['1795251600.dGhpcyBpcyBub3QgYSB0b2tlbg'],
})

export const NewSubmission = strict(
  {
    data: DataIn,
    member_id: Type.Optional(MemberField),
    token: Type.Optional(Token),
  },
  { title: 'NewSubmission', examples: [{ data: { email: 'ada@example.com', message: 'Hello' } }] },
)
export type NewSubmission = Static<typeof NewSubmission>

/** The same as multipart/form-data, for the document. */
export const SubmissionForm = strict(
  {
    data: Type.String({ contentMediaType: 'application/json', description: 'Values by field id, as JSON' }),
    member_id: Type.Optional(MemberField),
    token: Type.Optional(Token),
    attachment: Type.Optional(
      Type.String({
        contentMediaType: 'application/octet-stream',
        description:
          'Each file is a part with the name of its field; in this example a field with the id `attachment`',
      }),
    ),
  },
  {
    title: 'SubmissionForm',
    examples: [
      { data: '{"email":"ada@example.com","message":"Hello"}', attachment: '(the bytes of the file)' },
    ],
  },
)

export const BySubmission = strict({ id: pathId(formId, FormId), sid: pathId(submissionId, SubmissionId) })

/** What of a form's submissions is asked for; lists and exports take the same. */
export const submissionFilter = {
  status: oneOf(SUBMISSION_STATUSES, {
    default: 'received',
    description: 'Only submissions with this status',
  }),
  ...createdParameters,
  search: searchIn('any value in `data`'),
  member_id: Type.Optional(Type.String({ description: 'Only submissions of this member', ...MemberId })),
}
const Filter = strict(submissionFilter)
export type SubmissionFilter = Static<typeof Filter>

export const SubmissionQuery = strict({
  ...pageParameters,
  ...submissionFilter,
  include: includeParameter(INCLUDES),
  ...sortParameters(['created_at']),
})
export type SubmissionQuery = Static<typeof SubmissionQuery>

export const SubmissionChanges = strict(
  { status: oneOf(SUBMISSION_STATUSES, { description: 'The new status of the submission' }) },
  { title: 'SubmissionChanges', examples: [{ status: 'received' }] },
)
