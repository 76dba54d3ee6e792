import { sql } from 'kysely'
import { invalidField } from '#platform/errors.ts'
import { parseId } from '#platform/ids.ts'
import { bytesOfNames } from '#platform/lists/fit-page.ts'
import { beginningOf, MOST_NOTIFIED } from '#platform/markdown/mentions.ts'
import type { Rendered } from '#platform/markdown/render.ts'

/** JSON bytes of a post beside its texts and files, of the profile of an author, and of a file, at the most. */
const BYTES_OF_POST = 1_500
const BYTES_OF_AUTHOR = 2_800
const [BYTES_OF_FILE_ID, BYTES_OF_FILE] = [48, 2_200]

/** The columns of posts that can be long. @param includes whether the answer has the authors and the files of posts */
export const longTexts = ({ includes }: { includes: boolean }) => ({
  texts: ['content'],
  html: { content_html: 'content' },
  besides: sql<number>`(${sql.lit(BYTES_OF_POST + (includes ? BYTES_OF_AUTHOR : 0))}
    + ${sql.lit(BYTES_OF_FILE_ID + (includes ? BYTES_OF_FILE : 0))} * cardinality(attachments)
    + octet_length(to_json(excerpt)::text)
    + case when mentions = '{}' then 0 else ${bytesOfNames('content')} + ${bytesOfNames('excerpt')} end)`,
})

/** The fields of posts for which the long texts are read. */
export const LONG_FIELDS = ['content', 'content_html', 'truncated'] as const

/** The long texts of a post. @param isShort leaves them unread, for a list that does not show them */
export const textsOf = (table: string, isShort: boolean) =>
  (['content', 'content_html'] as const).map((column) =>
    (isShort ? sql<string>`''` : sql.ref<string>(`${table}.${column}`)).as(column),
  )

/** What files of discussions and of comments are referred to from. */
export const DISCUSSION_FILES = 'discussion'
export const COMMENT_FILES = 'comment'

/** Characters of the beginning that lists and mails show. */
const EXCERPT = 300

/** What is stored of a text that was rendered: mentions by their ids (platform/markdown/mentions.ts). */
interface Written {
  readonly content: string
  readonly content_html: string
  readonly excerpt: string
  readonly mentions: readonly string[]
}

/** The columns of it. */
export const WRITTEN = ['content', 'content_html', 'excerpt', 'mentions'] as const

/** What is stored of what somebody writes. */
export interface WrittenRow extends Written {
  readonly attachments: readonly string[]
}

export const toWritten = ({ source, html, plain, mentions }: Rendered): Written => ({
  content: source,
  content_html: html,
  excerpt: beginningOf(plain, EXCERPT),
  mentions: mentions.slice(0, MOST_NOTIFIED).flatMap((id) => parseId('member', id) ?? []),
})

/** 422 for a comment that a body names. */
export const noComment = (field: string) =>
  invalidField(field, 'exists', 'is not a comment of this discussion')
