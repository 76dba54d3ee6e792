import { type Static, Type } from 'typebox'
import { nullable, oneOf, pathId, strict, Timestamp } from '#platform/http/envelope.ts'
import { communityImportId } from '../ids.ts'

const ImportId = Type.String({
  description: 'The id of an import',
  examples: ['cimp_01jcq3k8f7e8qtk4m3hbw7rn2k'],
})
export const IMPORT_STATES = ['queued', 'running', 'completed', 'failed'] as const

/** Entries of the map in one answer. */
export const MAP_PAGE = 500

export const NewImport = strict(
  {
    upload_id: Type.String({
      description: 'The id of the uploaded file: see `POST /storage/uploads`',
      examples: ['file_01jcq3k8f7e8qtk4m3hbw7rn2h'],
    }),
    dry_run: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'True finds the same faults and creates nothing',
        examples: [true],
      }),
    ),
  },
  { title: 'NewCommunityImport' },
)
export type NewImport = Static<typeof NewImport>

const Fault = Type.Object(
  {
    line: Type.Integer({ description: 'The number of the line, from 1', examples: [17] }),
    record: Type.String({ description: 'The type of the line', examples: ['comment'] }),
    field: Type.String({ description: 'The field; empty for the whole line', examples: ['author_id'] }),
    rule: Type.String({ examples: ['exists'] }),
    message: Type.String({ examples: ['is no member of this project'] }),
  },
  { title: 'CommunityImportFault' },
)
export type Fault = Static<typeof Fault>

const Address = (description: string) =>
  nullable(
    Type.String({ description, examples: ['https://forum.example.com/d/disc_01jcq3k8f7e8qtk4m3hbw7rn2f'] }),
  )
const Moved = Type.Object(
  {
    record: Type.String({
      description: 'The type of the line, such as `discussion`',
      examples: ['discussion'],
    }),
    old_id: Type.String({ examples: ['disc_01jcq3k8f7e8qtk4m3hbw7rn2f'] }),
    new_id: Type.String({ examples: ['disc_01jcq3k8f7e8qtk4m3hbw7rn2g'] }),
    old_url: Address('The address of the old id; null without a `discussion_url` of the project'),
    new_url: Address('The address of the new id'),
  },
  { title: 'MovedId' },
)
export type Moved = Static<typeof Moved>

/** How far an import has come, as events tell it. */
export const ImportProgress = Type.Object(
  {
    id: ImportId,
    status: oneOf(IMPORT_STATES, {
      description: '`failed`: the import has stopped; `error` says why. The rows that were created are kept',
      default: 'completed',
    }),
    dry_run: Type.Boolean({ examples: [false] }),
    lines: Type.Integer({ minimum: 0, description: 'The number of lines that are done', examples: [250] }),
    created: Type.Integer({
      minimum: 0,
      description: 'The number of lines that created something; in a dry run, that would create something',
      examples: [248],
    }),
    faulty: Type.Integer({ minimum: 0, description: 'The number of lines with faults', examples: [2] }),
    error: nullable(
      Type.String({ description: 'Why the import failed', examples: ['The uploaded file was deleted'] }),
    ),
    created_at: Timestamp(),
    finished_at: nullable(Timestamp()),
  },
  { title: 'CommunityImportProgress' },
)
export type ImportProgress = Static<typeof ImportProgress>

export const CommunityImport = Type.Object(
  {
    ...ImportProgress.properties,
    faults: Type.Array(Fault, { description: 'The faults of the first faulty lines' }),
    map: Type.Array(Moved, {
      description: `The ids of the file that were taken, with the new ids, and members who were found by their address: at most ${MAP_PAGE} entries`,
    }),
    map_next: nullable(
      Type.String({
        description: 'Send it as `map_after` for more of the map; null at its end',
        examples: ['discussion.01938f3a-1c00-7000-8000-000000000000'],
      }),
    ),
  },
  { title: 'CommunityImport' },
)
export type CommunityImport = Static<typeof CommunityImport>

export const ById = strict({ id: pathId(communityImportId, ImportId) })
export const MapQuery = strict({
  map_after: Type.Optional(
    Type.String({
      pattern: '^[a-z_]{1,32}\\.[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$',
      description: 'The `map_next` of the answer before',
    }),
  ),
})
