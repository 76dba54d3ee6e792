import { type Static, Type } from 'typebox'
import { nullable, oneOf, pathId, strict, Timestamp } from '#platform/http/envelope.ts'
import { createdParameters, sortParameters } from '#platform/http/list-parameters.ts'
import { pageParameters } from '#platform/http/page.ts'
import { importId } from '../ids.ts'
import { AvatarUrl, Email, FullName, MEMBER_STATUSES, Role } from '../schema.ts'

/** Rows of one file at the most, the header not counted. */
export const MOST_ROWS = 100_000

/** What a row can say of a member: the cells of a line that is not empty. */
export const ImportedMember = strict({
  email: Email,
  full_name: Type.Optional(FullName),
  avatar_url: Type.Optional(AvatarUrl),
  role: Type.Optional({ ...Role, default: 'member' }),
  status: Type.Optional(oneOf(MEMBER_STATUSES, { default: 'active' })),
  plan: Type.Optional(Type.String()),
  plan_id: Type.Optional(Type.String()),
  metadata: Type.Optional(Type.String()),
  created_at: Type.Optional(Timestamp()),
  email_verified_at: Type.Optional(Timestamp()),
  last_login_at: Type.Optional(Timestamp()),
})
export type ImportedMember = Static<typeof ImportedMember>

/** What an export says too and a new member gets anew, and what a list of faulty rows adds. */
export const IGNORED_COLUMNS: readonly string[] = ['id', 'updated_at', 'reason']
export const KNOWN_COLUMNS: readonly string[] = Object.keys(ImportedMember.properties)

export const ImportFields = strict({
  dry_run: Type.Optional(
    oneOf(['true', 'false'], {
      default: 'false',
      description: 'True only checks the file. The answer has the same faults, and no member is created',
    }),
  ),
})

/** The multipart body, for the document. */
export const ImportForm = strict(
  {
    file: Type.Unsafe<unknown>({
      type: 'string',
      contentMediaType: 'text/csv',
      examples: ['email,full_name\nada@example.com,Ada Lovelace\n'],
    }),
    ...ImportFields.properties,
  },
  { title: 'ImportForm' },
)

export const ImportId = Type.String({
  description: 'The id of an import',
  examples: ['imp_01jcq3k8f7e8qtk4m3hbw7rn2k'],
})
export const ById = strict({ id: pathId(importId, ImportId) })
export const IMPORT_STATES = ['queued', 'running', 'completed', 'failed'] as const
export const ListQuery = strict({
  ...pageParameters,
  status: Type.Optional(oneOf(IMPORT_STATES, { description: 'Only imports with this status' })),
  ...createdParameters,
  ...sortParameters(['created_at']),
})

const Fault = Type.Object(
  {
    row: Type.Integer({
      description: 'The number of the row as spreadsheets count it: the header is row 1',
      examples: [17],
    }),
    field: Type.String({
      description: 'The column; empty if the fault is of the whole row',
      examples: ['email'],
    }),
    rule: Type.String({ examples: ['format'] }),
    message: Type.String({ examples: ['must be an email address of at most 254 characters'] }),
  },
  { title: 'ImportFault' },
)

/** How far an import has come, as events tell it. */
export const ImportProgress = Type.Object(
  {
    id: ImportId,
    status: oneOf(IMPORT_STATES, {
      description:
        '`failed`: the import stopped because of an error on our side; members that were created are kept',
      default: 'completed',
    }),
    dry_run: Type.Boolean({ examples: [false] }),
    total_rows: Type.Integer({
      description: 'The number of rows in the file, without the header',
      examples: [250],
    }),
    processed_rows: Type.Integer({ description: 'The number of rows that are done', examples: [250] }),
    created: Type.Integer({
      description: 'The number of members that were created; in a dry run, that would be created',
      examples: [248],
    }),
    faulty: Type.Integer({ description: 'The number of rows with faults', examples: [2] }),
    created_at: Timestamp(),
    finished_at: nullable(Timestamp()),
  },
  { title: 'MemberImportProgress' },
)
export type ImportProgress = Static<typeof ImportProgress>

export const MemberImport = Type.Object(
  {
    ...ImportProgress.properties,
    faults: Type.Array(Fault, { description: 'The faults of the first faulty rows' }),
    faults_url: nullable(
      Type.String({
        description:
          'The address of a CSV with all faulty rows and their reasons, for keys with `read:members`. Correct the rows and import the file again. Null if there are no faults',
        format: 'web-url',
        examples: ['https://api.example.com/api/v1/members/imports/imp_01jcq3k8f7e8qtk4m3hbw7rn2k/faults'],
      }),
    ),
  },
  { title: 'MemberImport' },
)
export type MemberImport = Static<typeof MemberImport>
export type ImportFault = Static<typeof Fault>
