import { sql } from 'kysely'
import { attachFile, findReadyFile } from '#areas/storage/service.ts'
import type { Context } from '#platform/db/tenant.ts'
import { forbidden, invalidBody, invalidField } from '#platform/errors.ts'
import { parseId } from '#platform/ids.ts'
import { bytesOfNames } from '#platform/lists/fit-page.ts'
import { beginningOf } from '#platform/markdown/mentions.ts'
import type { Rendered } from '#platform/markdown/render.ts'

/** JSON bytes of a post beside its texts and files, and of the profile of an author, at the most. */
const BYTES_OF_POST = 1_500
const BYTES_OF_AUTHOR = 2_800

/** The columns of posts that can be long. @param authors whether the answer has the profile of each author */
export const longTexts = ({ authors }: { authors: boolean }) => ({
  texts: ['content'],
  html: { content_html: 'content' },
  besides: sql<number>`(${sql.lit(BYTES_OF_POST + (authors ? BYTES_OF_AUTHOR : 0))} + 48 * cardinality(attachments)
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

/** Characters of the beginning that lists and mails show. */
const EXCERPT = 300
/** Members that one post tells at the most. */
const MENTIONS = 50

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
  mentions: mentions.slice(0, MENTIONS).flatMap((id) => parseId('member', id) ?? []),
})

/**
 * The stored ids of files that a post names.
 * @param member whose files they must be; null for keys, which attach any
 * @throws ApiError 422 for a file that is none, or that is still uploaded; 403 for somebody else's
 */
export async function filesOf(
  ctx: Context,
  ids: readonly string[],
  member: string | null,
): Promise<string[]> {
  const parsed = ids.map((id) => parseId('file', id))
  const files = await Promise.all(
    parsed.map((id) => (id === undefined ? undefined : findReadyFile(ctx, { id }))),
  )
  const faults = files.flatMap((file, i) =>
    file === undefined
      ? [{ field: `attachments[${i}]`, rule: 'exists', message: 'is not a file of this project' }]
      : [],
  )
  if (faults.length > 0) throw invalidBody(faults)
  if (member !== null && files.some((file) => file?.ownerId !== member))
    throw forbidden('A member can attach only files of their own')
  return parsed.filter((id) => id !== undefined)
}

/** Keeps files for as long as a post is there. */
export function attachAll(ctx: Context, files: readonly string[], kind: string, id: string): void {
  for (const file of files) attachFile(ctx, file, { kind, id })
}

/** 422 for a comment that a body names. */
export const noComment = (field: string) =>
  invalidField(field, 'exists', 'is not a comment of this discussion')

/** A post as an answer shows it. */
interface Shown {
  readonly content: string
  readonly content_html: string
  readonly excerpt?: string
  readonly attachments: readonly unknown[]
  readonly viewer?: { readonly muted: boolean } | undefined
}

/** A post in a list: of a member whom the reader has muted, the place is shown without the content. */
export const foldMuted = <T extends Shown>(post: T): T =>
  post.viewer?.muted ? { ...post, content: '', content_html: '', excerpt: '', attachments: [] } : post
