import type { AnswerOf } from '#platform/db/query.ts'
import type { Context } from '#platform/db/tenant.ts'
import { type FieldFault, invalidBody, invalidField } from '#platform/errors.ts'
import { parseId, toId } from '#platform/ids.ts'
import { postRefused } from '../errors.ts'
import { ruleId } from '../ids.ts'
import { type Fingerprint, fingerprintOf, fold, foldedWords } from './fingerprint.ts'
import {
  getRule,
  isRepeated,
  keepFingerprint,
  lockAuthor,
  type RuleInUse,
  recordOf,
  rulesInUse,
  toStored,
} from './queries.ts'
import type { Action, Kind, NewRule, Verdict } from './schema.ts'

/** A post that is about to be written or changed. */
export interface JudgedPost {
  readonly title?: string | undefined
  /** Its text without markup. */
  readonly text: string
  /** How many addresses it leads to; mentions are none. */
  readonly links: number
  /** The stored id of its author; null where nobody is named: rules about authors do not apply then. */
  readonly author: string | null
  /** The stored id of a post that is changed: how often its author writes is not asked again. */
  readonly changes?: string | undefined
}

/** What rules say about a post, and what is kept of it if it is written. */
interface Judged {
  readonly verdict: Verdict
  readonly fingerprint: Fingerprint | undefined
}

const ABOUT_AUTHORS: ReadonlySet<string> = new Set<Kind>(['rate', 'age', 'duplicates'])

/** What the rules of the project say about a post. Nothing is written. */
export async function judge(ctx: Context, post: JudgedPost): Promise<Judged> {
  const words = foldedWords(`${post.title ?? ''} ${post.text}`)
  const rules = await rulesInUse(ctx, { tokens: [...new Set(words)] })
  if (rules.length === 0) return { verdict: { action: 'publish', rules: [] }, fingerprint: undefined }
  const { author } = post
  const asksAuthor = rules.some(
    ({ kind, younger_than_hours, fewer_posts_than }) =>
      ABOUT_AUTHORS.has(kind) || younger_than_hours !== null || fewer_posts_than !== null,
  )
  if (author !== null && asksAuthor) lockAuthor(ctx, { member: author })
  const record = author !== null && asksAuthor ? await recordOf(ctx, { member: author }) : undefined
  const fingerprint = rules.some(({ kind }) => kind === 'duplicates')
    ? fingerprintOf(`${post.title ?? ''} ${post.text}`)
    : undefined
  const found: Verdict['rules'] = []
  for (const rule of rules) {
    if (!concerns(rule, record)) continue
    const what = await findIn(ctx, rule, { post, text: ` ${words.join(' ')} `, record, fingerprint })
    if (what !== undefined)
      found.push({
        ...{ id: toId(ruleId, rule.id), kind: rule.kind as Kind, name: rule.name },
        ...{ action: rule.action as Action, found: what },
      })
  }
  const isRefused = found.some(({ action }) => action === 'refuse')
  const action = isRefused ? 'refuse' : found.length > 0 ? 'hold' : 'publish'
  return { verdict: { action, rules: found }, fingerprint }
}

type AuthorRecord = AnswerOf<typeof recordOf>

/** Whether a rule is about this author: about everybody, or about new members. */
function concerns({ younger_than_hours, fewer_posts_than }: RuleInUse, record: AuthorRecord): boolean {
  if (younger_than_hours === null && fewer_posts_than === null) return true
  if (record === undefined) return false
  const isYoung = younger_than_hours !== null && record.hours < younger_than_hours
  return isYoung || (fewer_posts_than !== null && record.shown < fewer_posts_than)
}

interface Facts {
  readonly post: JudgedPost
  /** The folded words, with a space before and behind each. */
  readonly text: string
  readonly record: AuthorRecord
  readonly fingerprint: Fingerprint | undefined
}

/** What a rule finds, in words; undefined where it finds nothing. */
async function findIn(ctx: Context, rule: RuleInUse, facts: Facts): Promise<string | undefined> {
  const { post, record, fingerprint } = facts
  const { max_links, max_posts, per_minutes } = rule
  if (rule.kind === 'hook') return 'the hook is asked'
  if (rule.kind === 'words') return rule.candidates.find((word) => facts.text.includes(` ${word} `))
  if (rule.kind === 'links') {
    return max_links !== null && post.links > max_links ? `${post.links} links` : undefined
  }
  if (rule.kind === 'age') return record === undefined ? undefined : `${record.shown} posts`
  if (per_minutes === null) return undefined
  if (rule.kind === 'rate') {
    if (post.changes !== undefined || max_posts === null) return undefined
    const written = record?.minutes_ago.filter((minutes) => minutes < per_minutes).length ?? 0
    return written >= max_posts ? `${written} posts in ${per_minutes} minutes` : undefined
  }
  if (fingerprint === undefined) return undefined
  const compared = { ...toStored(fingerprint), member: post.author, minutes: per_minutes }
  return (await isRepeated(ctx, { ...compared, except: post.changes ?? null })) ? 'the same text' : undefined
}

/** Addresses that HTML leads to; mentions are none. */
export const linksIn = (html: string): number => html.match(/<(?:a|img) /g)?.length ?? 0
/** The same of plain text. */
export const linksInText = (text: string): number => text.match(/\b(?:https?:\/\/|www\.)\S/gi)?.length ?? 0

/**
 * Judges a new post. It throws if a rule refuses the post, and returns the kinds of the rules that hold it.
 * @returns the kinds of the rules that hold the post, whether only the hook has to be asked about it, and `keep`, to be called with
 *   its id when it is written
 * @throws ApiError 422 POST_REFUSED
 */
export async function judgeWritten(ctx: Context, post: JudgedPost) {
  const { verdict, fingerprint } = await judge(ctx, post)
  const refusing = verdict.rules.filter(({ action }) => action === 'refuse')
  if (refusing.length > 0)
    throw postRefused(undefined, {
      details: refusing.map(({ kind }) => ({ field: 'content', rule: kind, message: WHY[kind] })),
    })
  const kinds = new Set(verdict.rules.map(({ kind }) => kind))
  // What a moderator looks at anyway is not asked.
  const isAsked = kinds.delete('hook') && kinds.size === 0
  return {
    isAsked,
    heldBy: [...kinds],
    keep: (id: string): void => {
      if (fingerprint) keepFingerprint(ctx, { id, author_id: post.author, ...toStored(fingerprint) })
    },
  }
}

const WHY: Readonly<Record<Kind, string>> = {
  words: 'has words that are not allowed here',
  links: 'has too many links',
  rate: 'comes too soon after the posts before it',
  age: 'comes from a member who is too new here',
  duplicates: 'was posted already',
  hook: 'was refused by the moderation hook',
}

/** A rule without what it needs, or with what another kind has. @throws ApiError 422 */
export function assertFits(kind: Kind, fields: Readonly<Record<string, unknown>>, isNew: boolean): void {
  const takes = TAKES[kind]
  const wrong = OF_KINDS.filter((field) => fields[field] !== undefined && !takes.includes(field)).map(
    (field) => ({ field, rule: 'kind', message: `does not belong to a rule of the kind ${kind}` }),
  )
  const missing = takes
    .filter((field) => field !== 'on_timeout')
    .filter((field) => isNew && fields[field] === undefined)
    .map((field) => ({ field, rule: 'required', message: `is required with the kind ${kind}` }))
  const acts =
    kind === 'hook' && fields.action !== undefined
      ? [{ field: 'action', rule: 'kind', message: 'is decided by the hook: leave it out' }]
      : []
  const faults = [...wrong, ...acts, ...missing, ...(kind === 'words' ? wordFaults(fields.words) : [])]
  if (faults.length > 0) throw invalidBody(faults)
}

/** Words that no post can have: nothing is left of them when they are compared. */
function wordFaults(words: unknown): FieldFault[] {
  if (!Array.isArray(words)) return []
  if (words.length === 0) return [{ field: 'words', rule: 'minItems', message: 'must have at least 1 entry' }]
  return words.flatMap((word, i) =>
    fold(String(word)) === ''
      ? [{ field: `words[${i}]`, rule: 'word', message: 'must have a letter or a digit' }]
      : [],
  )
}

/** A verdict for people: words that were found are written as in their rule. */
export async function withTypedWords(ctx: Context, { action, rules }: Verdict): Promise<Verdict> {
  const typed = rules.map(async (found) => {
    if (found.kind !== 'words') return found
    const { words } = await getRule(ctx, { id: parseId(ruleId, found.id) as string })
    return { ...found, found: words.find((word) => fold(word) === found.found) ?? found.found }
  })
  return { action, rules: await Promise.all(typed) }
}

/** A rule about the age of members needs an age. @throws ApiError 422 */
export function assertStillFits(
  rule: Pick<NewRule, 'kind' | 'younger_than_hours' | 'fewer_posts_than'>,
): void {
  const { kind, younger_than_hours = null, fewer_posts_than = null } = rule
  if (kind === 'age' && younger_than_hours === null && fewer_posts_than === null)
    throw invalidField('younger_than_hours', 'required', 'or fewer_posts_than is required with the kind age')
}

const OF_KINDS = [
  ...(['words', 'max_links', 'max_posts', 'per_minutes', 'url', 'on_timeout', 'secret'] as const),
] as const
const TAKES: Readonly<Record<Kind, readonly (typeof OF_KINDS)[number][]>> = {
  words: ['words'],
  links: ['max_links'],
  rate: ['max_posts', 'per_minutes'],
  age: [],
  duplicates: ['per_minutes'],
  hook: ['url', 'secret', 'on_timeout'],
}
