import { type Static, Type } from 'typebox'
import { nullable, oneOf, strict, Timestamp } from '#platform/http/envelope.ts'
import { pageParameters } from '#platform/http/page.ts'
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
      description: 'Finds the same faults and creates nobody',
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
export const ById = strict({ id: ImportId })
export const IMPORT_STATES = ['queued', 'running', 'completed', 'failed'] as const
export const ListQuery = strict({
  ...pageParameters,
  status: Type.Optional(oneOf(IMPORT_STATES, { description: 'Imports with this status only' })),
})

const Fault = Type.Object(
  {
    row: Type.Integer({ description: 'As spreadsheets count: the header is row 1', examples: [17] }),
    field: Type.String({ description: 'The column; empty for the whole row', examples: ['email'] }),
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
      description: '`failed` by a fault of ours; rows that were dealt with stay so',
      default: 'completed',
    }),
    dry_run: Type.Boolean({ examples: [false] }),
    total_rows: Type.Integer({ description: 'Rows of the file, the header not counted', examples: [250] }),
    processed_rows: Type.Integer({ description: 'Rows dealt with so far', examples: [250] }),
    created: Type.Integer({ description: 'Members created; in a dry run, that would be', examples: [248] }),
    faulty: Type.Integer({ description: 'Rows of which no member became', examples: [2] }),
    created_at: Timestamp(),
    finished_at: nullable(Timestamp()),
  },
  { title: 'MemberImportProgress' },
)
export type ImportProgress = Static<typeof ImportProgress>

export const MemberImport = Type.Object(
  {
    ...ImportProgress.properties,
    faults: Type.Array(Fault, { description: 'Of the first faulty rows' }),
    faults_url: nullable(
      Type.String({
        description:
          'All faulty rows as a CSV with the columns of the file and their reasons, for keys with `read:members`. Mended, it can be sent as it is. Null where there are none',
        examples: ['https://api.example.com/api/v1/members/imports/imp_01jcq3k8f7e8qtk4m3hbw7rn2k/faults'],
      }),
    ),
  },
  { title: 'MemberImport' },
)
export type MemberImport = Static<typeof MemberImport>
export type ImportFault = Static<typeof Fault>
