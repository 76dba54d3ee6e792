import { type TSchema, type TStringOptions, Type } from 'typebox'
import { caseId, categoryId, commentId, discussionId, revisionId } from '#areas/discussions/ids.ts'
import { Title } from '#areas/discussions/schema.ts'
import { POST_FILES as DISCUSSION_FILES } from '#areas/discussions/service.ts'
import { feedbackId, commentId as noteId, statusChangeId } from '#areas/feedback/ids.ts'
import { STATUSES as FEEDBACK_STATUSES, FEEDBACK_TYPES, VISIBILITIES } from '#areas/feedback/schema.ts'
import { POST_FILES as FEEDBACK_FILES } from '#areas/feedback/service.ts'
import { nullable, oneOf, strict } from '#platform/http/envelope.ts'
import type { Resource } from '#platform/ids.ts'
import { MAX_MARKDOWN } from '#platform/markdown/markdown.ts'

// What a line of an export can be: one description for the export that writes it and for the import that reads it, so that
// neither knows a field that the other one does not.

/** What posts refer to their files from, by the types of their lines. */
export const POST_FILES: Readonly<Record<string, string>> = { ...DISCUSSION_FILES, ...FEEDBACK_FILES }

/** Things that others refer to by an id. */
export const RESOURCES = {
  member: 'member',
  category: categoryId,
  file: 'file',
  discussion: discussionId,
  comment: commentId,
  revision: revisionId,
  case: caseId,
  feedback: feedbackId,
  status_change: statusChangeId,
  feedback_comment: noteId,
} as const satisfies Readonly<Record<string, Resource>>
export type Named = keyof typeof RESOURCES

/** A field of a line, and the column of the same name. */
export interface Field {
  /** The type of the column. */
  readonly sql: 'uuid' | 'uuid[]' | 'text' | 'timestamptz' | 'boolean' | 'integer' | 'bigint' | 'jsonb'
  readonly schema: TSchema
  /** Of an id: of what. */
  readonly of?: Named
  /** Markdown, which is rendered when it is imported. */
  readonly isMarkdown?: true
  /** What it is in files that were made before there was the field. */
  readonly before?: unknown
}

const IdText = Type.String({ maxLength: 64 })
const TimeText = Type.String({ format: 'date-time' })
const maybe = ({ schema, ...field }: Field): Field => ({ ...field, schema: nullable(schema) })
const id = (of: Named): Field => ({ sql: 'uuid', schema: IdText, of })
const text = (options: TStringOptions = {}): Field => ({ sql: 'text', schema: Type.String(options) })
const word = (words: readonly string[]): Field => ({ sql: 'text', schema: oneOf(words) })
const time: Field = { sql: 'timestamptz', schema: TimeText }
const bool: Field = { sql: 'boolean', schema: Type.Boolean() }
const markdown = (maxLength: number): Field => ({
  ...{ sql: 'text', schema: Type.String({ minLength: 1, maxLength }), isMarkdown: true },
})
const files: Field = {
  ...{ sql: 'uuid[]', schema: Type.Array(IdText, { maxItems: 20 }), of: 'file' },
}
const newFiles: Field = { ...files, before: [] }

const postStatus = word(['visible', 'pending', 'removed'])
const title: Field = { sql: 'text', schema: Title }
const feedbackStatus = word(FEEDBACK_STATUSES)
const note = maybe(text({ maxLength: 2_000 }))
const moderated = word([...VISIBILITIES, 'removed'])
const shownAs: Field = { ...maybe(word(VISIBILITIES)), before: null }

/** How lines of a type are stored. */
export interface LineType {
  readonly table: string
  readonly fields: Readonly<Record<string, Field>>
  /** The field that names what it is in, which what refers to it must be in, too. */
  readonly within?: string
}

/** Lines that are rows of a table, in the order of a file: what refers to others comes after them. */
export const ROWS = {
  discussion: {
    table: 'discussions',
    fields: {
      ...{ id: id('discussion'), category_id: id('category'), author_id: id('member') },
      ...{ title, content: markdown(MAX_MARKDOWN), attachments: files, status: postStatus },
      ...{ is_pinned: bool, is_locked: bool, shown_at: time },
      ...{ created_at: time, updated_at: time, edited_at: maybe(time) },
    },
  },
  comment: {
    table: 'comments',
    within: 'discussion_id',
    fields: {
      ...{ id: id('comment'), discussion_id: id('discussion'), parent_id: maybe(id('comment')) },
      ...{ author_id: id('member'), content: markdown(MAX_MARKDOWN), attachments: files },
      ...{ status: postStatus, shown_at: maybe(time) },
      ...{ created_at: time, updated_at: time, edited_at: maybe(time) },
    },
  },
  revision: {
    table: 'post_revisions',
    fields: {
      ...{ id: id('revision'), discussion_id: id('discussion'), comment_id: maybe(id('comment')) },
      ...{ author_id: id('member'), replaced_by: maybe(text({ maxLength: 64 })), title: maybe(title) },
      ...{ content: text({ maxLength: MAX_MARKDOWN }), created_at: time },
    },
  },
  reader: {
    table: 'discussion_members',
    fields: {
      ...{ discussion_id: id('discussion'), member_id: id('member'), liked: bool },
      ...{ subscription: maybe(word(['on', 'off', 'mentioned'])), read_up_to: maybe(time) },
    },
  },
  comment_like: {
    table: 'comment_likes',
    fields: { comment_id: id('comment'), member_id: id('member'), created_at: time },
  },
  feedback: {
    table: 'feedback',
    fields: {
      ...{
        id: id('feedback'),
        type: word(FEEDBACK_TYPES),
        title: maybe(text({ minLength: 1, maxLength: 200 })),
      },
      ...{
        message: text({ minLength: 1, maxLength: 10_000 }),
        email: maybe(text({ maxLength: 254, format: 'email' })),
      },
      ...{
        author_id: maybe(id('member')),
        metadata: { sql: 'jsonb', schema: Type.Object({}, { additionalProperties: true }) },
      },
      ...{ visibility: moderated, shown_as: shownAs },
      ...{ attachments: newFiles, status: feedbackStatus, status_note: note },
      ...{ status_changed_at: time, created_at: time, updated_at: time },
    },
  },
  vote: {
    table: 'feedback_votes',
    fields: { feedback_id: id('feedback'), member_id: id('member'), created_at: time },
  },
  status_change: {
    table: 'feedback_status_changes',
    fields: {
      ...{ id: id('status_change'), feedback_id: id('feedback'), previous_status: feedbackStatus },
      ...{
        status: feedbackStatus,
        note,
        notify_voters: bool,
        member_id: maybe(id('member')),
        created_at: time,
      },
    },
  },
  feedback_comment: {
    table: 'feedback_comments',
    fields: {
      ...{ id: id('feedback_comment'), feedback_id: id('feedback'), author_id: maybe(id('member')) },
      ...{ content: markdown(10_000), is_official: bool, visibility: moderated, shown_as: shownAs },
      ...{ attachments: newFiles, created_at: time },
    },
  },
  case: {
    table: 'moderation_cases',
    fields: {
      ...{ id: id('case'), kind: word(['reported', 'held']), discussion_id: maybe(id('discussion')) },
      ...{
        comment_id: maybe(id('comment')),
        feedback_id: { ...maybe(id('feedback')), before: null },
        feedback_comment_id: { ...maybe(id('feedback_comment')), before: null },
        decision: maybe(word(['approved', 'removed'])),
        reason: maybe(text({ maxLength: 2_000 })),
      },
      ...{ decided_by: maybe(text({ maxLength: 64 })), decided_at: maybe(time), created_at: time },
    },
  },
  report: {
    table: 'reports',
    fields: {
      ...{ case_id: id('case'), member_id: id('member'), reason: text({ minLength: 1, maxLength: 200 }) },
      ...{ note, created_at: time, counts: bool },
    },
  },
} as const satisfies Readonly<Record<string, LineType>>
export type RowLine = keyof typeof ROWS

/** Lines that are made in ways of their own. */
export const OTHERS = {
  community: { version: Type.Literal(1), exported_at: TimeText },
  // Somebody whom others name. `former` is one who was deleted: only the id is exported.
  member: { id: IdText, email: nullable(Type.String({ maxLength: 254 })), former: Type.Boolean() },
  category: {
    ...{
      id: IdText,
      slug: Type.String({
        minLength: 1,
        maxLength: 80,
        pattern: '^[\\p{L}\\p{N}\\p{M}]+(-[\\p{L}\\p{N}\\p{M}]+)*$',
      }),
    },
    ...{ name: Type.String({ minLength: 1, maxLength: 80 }), description: Type.String({ maxLength: 2_000 }) },
    position: Type.Integer({ minimum: 0, maximum: 1_000_000 }),
    // The slugs of plans.
    required_plans: Type.Array(Type.String({ maxLength: 200 }), { maxItems: 50 }),
    ...{ moderated: Type.Boolean(), created_at: TimeText, updated_at: TimeText },
  },
  file: {
    ...{
      id: IdText,
      name: Type.String({ minLength: 1, maxLength: 255 }),
      size: Type.Integer({ minimum: 0 }),
    },
    ...{
      content_type: Type.String({ minLength: 1, maxLength: 255 }),
      visibility: oneOf(['private', 'public']),
    },
    ...{
      checksum_sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
      owner_id: nullable(IdText),
      created_at: TimeText,
    },
  },
  answer: { discussion_id: IdText, comment_id: IdText },
  merge: { feedback_id: IdText, into: IdText },
  // A part of the bytes of a file, in Base64. The parts of a file follow each other.
  file_content: { file_id: IdText, last: Type.Boolean(), data: Type.String({ maxLength: 1_048_576 }) },
} as const

const rowTypes: Readonly<Record<string, LineType>> = ROWS

/** What a line of each type is. */
export const LINE_SCHEMAS: Readonly<Record<string, TSchema>> = Object.fromEntries([
  ...Object.entries(OTHERS).map(([record, fields]) => [
    record,
    strict({ record: Type.Literal(record), ...fields }),
  ]),
  ...Object.entries(rowTypes).map(([record, { fields }]) => [
    record,
    strict({
      record: Type.Literal(record),
      ...Object.fromEntries(
        Object.entries(fields).map(([name, { schema, before }]) => [
          name,
          before === undefined ? schema : Type.Optional(schema),
        ]),
      ),
    }),
  ]),
])

export const rowTypeOf = (record: string): LineType | undefined =>
  Object.hasOwn(rowTypes, record) ? rowTypes[record] : undefined
