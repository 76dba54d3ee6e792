import type { FastifyRequest } from 'fastify'
import type { Context, ProjectData } from '#platform/db/tenant.ts'
import { included } from '#platform/http/include.ts'
import { parseId, toId } from '#platform/ids.ts'
import { endOfShown, type FileLinks, fileLinks, type LinkConfig } from '../content/file-links.ts'
import { type FileRow, findReadyFiles } from '../queries.ts'
import { ATTACHMENTS, type PostFile } from '../schema.ts'

// This file puts the files of posts into answers, if the request includes them: links that work for some minutes. An answer shows
// `attachments` only to whoever may read the post, so whoever sees the ids may read the files. It is one query for an answer.

/** Seconds for which links are the same; they work for up to twice as long. */
const LINK_SECONDS = 300
/** Files of one answer. */
const MOST_SHOWN = 1_000
/** Data of customers, whose names of fields mean nothing here. */
const FREE_FORM = 'metadata'

/** A part of an answer that can have files. */
type Part = Record<string, unknown>

/** Files of answers that do not show the ids. */
const unshown = new WeakMap<object, readonly string[]>()

/** Says whose files `include=attachments` adds to an answer without the ids. @param ids stored */
export function withFiles<T extends object>(ids: readonly string[], part: T): T {
  unshown.set(
    part,
    ids.map((id) => toId('file', id)),
  )
  return part
}

/** Adds the files of posts to answers, which are changed in place. Made once, where routes are. */
export function showingFiles(config: LinkConfig) {
  return {
    /** An answer as the request shows it. */
    show: <T extends object>(request: FastifyRequest, answer: T): Promise<T> =>
      isAsked(request) ? add(answer, (ids) => readFiles(request, ids)) : Promise.resolve(answer),
    /** The same within a transaction. */
    showIn: <T extends object>(ctx: Context, request: FastifyRequest, answer: T): Promise<T> =>
      isAsked(request) ? add(answer, (ids) => findReadyFiles(ctx, { ids })) : Promise.resolve(answer),
    /** With files, where nobody has sent a request. */
    showAll: <T extends object>(data: ProjectData, answer: T): Promise<T> =>
      add(answer, (ids) => readFiles(data, ids)),
  }

  async function add<T extends object>(
    answer: T,
    read: (ids: readonly string[]) => PromiseLike<readonly FileRow[]>,
  ): Promise<T> {
    const parts: (readonly [Part, readonly string[]])[] = []
    collect(answer, parts)
    const named = [...new Set(parts.flatMap(([, ids]) => ids))].slice(0, MOST_SHOWN)
    const stored = named.flatMap((id) => parseId('file', id) ?? [])
    const shown = toPostFiles(stored.length === 0 ? [] : await read(stored))
    for (const [part, ids] of parts) part['files'] = ids.flatMap((id) => shown.get(id) ?? [])
    return answer
  }

  /** Files by their public ids. */
  function toPostFiles(rows: readonly FileRow[]): ReadonlyMap<string, PostFile> {
    const [first] = rows
    if (first === undefined) return new Map()
    const expires = endOfShown(LINK_SECONDS)
    const links = fileLinks(config, first.project_id, expires)
    return new Map(rows.map((row) => [toId('file', row.id), toPostFile(row, links, expires)]))
  }
}

const readFiles = async (data: ProjectData, ids: readonly string[]) =>
  (await data.read({ rows: findReadyFiles({ ids }) })).rows

const isAsked = ({ query }: FastifyRequest): boolean =>
  included((query as { include?: string } | undefined)?.include).has(ATTACHMENTS)

function collect(value: unknown, parts: (readonly [Part, readonly string[]])[]): void {
  if (typeof value !== 'object' || value === null) return
  if (Array.isArray(value)) {
    for (const each of value) collect(each, parts)
    return
  }
  const part = value as Part
  const ids = part['attachments'] ?? unshown.get(part)
  if (Array.isArray(ids)) parts.push([part, ids as readonly string[]])
  for (const [name, inner] of Object.entries(part)) if (name !== FREE_FORM) collect(inner, parts)
}

function toPostFile(row: FileRow, links: FileLinks, expires: number): PostFile {
  const id = toId('file', row.id)
  const { name, size, content_type, width, height, preview_width, preview_height } = row
  return {
    ...{ id, name, size, content_type, url: links.urlOf(id) },
    expires_at: new Date(expires * 1_000).toISOString(),
    ...{ width, height },
    preview:
      preview_width === null || preview_height === null
        ? null
        : { url: links.urlOf(id, 'preview'), width: preview_width, height: preview_height },
  }
}
