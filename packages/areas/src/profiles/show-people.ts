import type { FastifyRequest } from 'fastify'
import type { PersonalData } from '#platform/catalogue/personal-data.ts'
import type { Context, ProjectData } from '#platform/db/tenant.ts'
import { taggedAs } from '#platform/http/etag.ts'
import { included } from '#platform/http/include.ts'
import { parseId, toId } from '#platform/ids.ts'
import {
  fillCutHtml,
  fillHtml,
  fillMarkdown,
  fillText,
  mentionedIn,
  type NameOf,
} from '#platform/markdown/mentions.ts'
import { isStranger, type LinkConfig, shownName, toProfiles } from './people.ts'
import { findPeople, type PersonRow } from './queries.ts'
import { AUTHOR, type Author } from './schema.ts'

// This file puts members into answers: their present names into mentions, which are stored by id, and their profiles beside
// what they wrote, if the request includes them. It is one query for an answer, whatever the number of members.

/** Fields that name the member of whom `author` tells, in this order. */
const AUTHOR_FIELDS = ['author_id', 'student_id', 'user_id', 'member_id'] as const
/** Texts with mentions, and how names are put in. */
const TEXTS = new Map<string, (stored: string, nameOf: NameOf) => string>([
  ['content', fillMarkdown],
  ['content_html', fillHtml],
  ['excerpt', fillText],
  // Of feedback: plain texts that their writers can send back as they read them.
  ['title', fillMarkdown],
  ['message', fillMarkdown],
])
/** Data of customers, whose names of fields mean nothing here. */
const FREE_FORM = 'metadata'

/** Members of answers that do not show the id. */
const unnamed = new WeakMap<object, string | null>()

/** Says whose profile `include=author` adds to a part of an answer that does not show the id. @param id public */
export function byAuthor<T extends object>(id: string | null, part: T): T {
  unnamed.set(part, id)
  return part
}

/** What is known of the members of one answer. */
interface Shown {
  readonly nameOf: NameOf
  /** Undefined if the answer includes no authors. */
  readonly authorOf: ((id: string | null) => Author | null) | undefined
}

/**
 * The present names of members, for mails and exports.
 * @param ids public ids; an id without a member has the default name
 */
export async function readNames(ctx: Context, ids: Iterable<string>): Promise<NameOf> {
  const stored = [...new Set(ids)].flatMap((id) => parseId('member', id) ?? [])
  const rows = stored.length === 0 ? [] : await findPeople(ctx, { ids: stored })
  const names = new Map(rows.map((row) => [toId('member', row.id), shownName(row)]))
  return (id) => names.get(id) ?? defaultNameOf(id)
}

/** The data of members with names in the mentions of their texts. */
export const withNames = (data: PersonalData): PersonalData =>
  Object.freeze({
    ...data,
    list: async (...asked: Parameters<PersonalData['list']>) => {
      const [ctx] = asked
      const page = await data.list(...asked)
      const named = new Set<string>()
      collect(page.records, false, named)
      if (named.size === 0) return page
      const nameOf = await readNames(ctx, named)
      return { ...page, records: page.records.map((record) => copy(record, { nameOf, authorOf: undefined })) }
    },
  })

const defaultNameOf: NameOf = (id) => `Member ${id.slice(-4)}`

/** Puts members into answers. Made once, where routes are. */
export function showingPeople(config: LinkConfig) {
  return {
    /** An answer as the request shows it. @param answer plain JSON, which is copied */
    show: <T extends object>(request: FastifyRequest, answer: T): Promise<T> =>
      showIn(
        answer,
        askedBy(request),
        async (ids) => (await request.read({ rows: findPeople({ ids }) })).rows,
      ),
    /** The same within a transaction. */
    showIn: <T extends object>(ctx: Context, request: FastifyRequest, answer: T): Promise<T> =>
      showIn(answer, askedBy(request), (ids) => findPeople(ctx, { ids })),
    /** What members see where nobody has sent a request, with authors. */
    showMembers: <T extends object>(data: ProjectData, answer: T): Promise<T> =>
      showIn(answer, MEMBERS, async (ids) => (await data.read({ rows: findPeople({ ids }) })).rows),
  }

  async function showIn<T extends object>(
    answer: T,
    { withAuthors, isStranger }: Asked,
    read: (ids: readonly string[]) => PromiseLike<readonly PersonRow[]>,
  ): Promise<T> {
    const named = new Set<string>()
    collect(answer, withAuthors, named)
    if (named.size === 0 && !withAuthors) return answer
    const ids = [...named].flatMap((id) => parseId('member', id) ?? [])
    const rows = ids.length === 0 ? [] : await read(ids)
    const seen = isStranger ? rows.filter(({ profiles_public }) => profiles_public) : rows
    const profiles = new Map(toProfiles(config, seen).map((profile) => [profile.id, profile]))
    const shown: Shown = {
      nameOf: (id) => profiles.get(id)?.display_name ?? defaultNameOf(id),
      authorOf: withAuthors ? (id) => toAuthor(profiles.get(id ?? '')) : undefined,
    }
    return copy(answer, shown)
  }
}

/** Who is shown an answer, and whether it has authors. */
interface Asked {
  readonly withAuthors: boolean
  readonly isStranger: boolean
}

const MEMBERS: Asked = { withAuthors: true, isStranger: false }

const askedBy = (request: FastifyRequest): Asked => ({
  withAuthors: included((request.query as { include?: string } | undefined)?.include).has(AUTHOR),
  isStranger: isStranger(request),
})

const toAuthor = (profile: Author | undefined): Author | null =>
  profile === undefined
    ? null
    : {
        id: profile.id,
        display_name: profile.display_name,
        avatar_url: profile.avatar_url,
        badges: profile.badges,
      }

/** The public id of the member of a part of an answer; null for nobody, undefined where it names none. */
function memberOf(part: Readonly<Record<string, unknown>>): string | null | undefined {
  const field = AUTHOR_FIELDS.find((name) => part[name] !== undefined)
  return field === undefined ? unnamed.get(part) : (part[field] as string | null)
}

function collect(value: unknown, withAuthors: boolean, named: Set<string>): void {
  if (typeof value !== 'object' || value === null) return
  if (Array.isArray(value)) {
    for (const each of value) collect(each, withAuthors, named)
    return
  }
  const part = value as Record<string, unknown>
  const member = withAuthors ? memberOf(part) : undefined
  if (member) named.add(member)
  for (const [name, inner] of Object.entries(part)) {
    if (name === FREE_FORM) continue
    if (typeof inner === 'string') {
      if (TEXTS.has(name)) for (const id of mentionedIn(inner)) named.add(id)
    } else collect(inner, withAuthors, named)
  }
}

function copy<T>(value: T, shown: Shown): T {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((each) => copy(each, shown)) as T
  const made: Record<string, unknown> = {}
  const { truncated } = value as { truncated?: readonly string[] }
  for (const [name, inner] of Object.entries(value)) {
    // HTML that would be too long is the beginning of its Markdown.
    const isCutHtml = name === 'content_html' && truncated?.includes(name) === true
    const fill = isCutHtml ? fillCutHtml : TEXTS.get(name)
    if (name === FREE_FORM) made[name] = inner
    else made[name] = fill && typeof inner === 'string' ? fill(inner, shown.nameOf) : copy(inner, shown)
  }
  const member = memberOf(value as Record<string, unknown>)
  if (shown.authorOf && member !== undefined) made['author'] = shown.authorOf(member)
  return taggedAs(value, made) as T
}
