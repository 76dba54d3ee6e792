import { type Static, Type } from 'typebox'
import { nullable, oneOf, pathId, strict, Timestamp, unsettable } from '#platform/http/envelope.ts'
import { MemberId } from '#platform/http/member-id.ts'
import { pageParameters } from '#platform/http/page.ts'
import { MAX_MARKDOWN } from '#platform/markdown/markdown.ts'
import { ruleId } from '../ids.ts'

/** The kinds of moderation rules. */
export const KINDS = ['words', 'links', 'rate', 'age', 'duplicates', 'hook'] as const
export type Kind = (typeof KINDS)[number]

export const ACTIONS = ['hold', 'refuse'] as const
export type Action = (typeof ACTIONS)[number]

/** Words that all rules of a project have together. */
export const MOST_WORDS = 10_000
/** Of one rule: a body has at most 10,000 entries of one list. */
const MOST_WORDS_OF_RULE = 5_000

const RuleId = Type.String({
  description: 'The id of a moderation rule',
  examples: ['mrul_01jcq3k8f7e8qtk4m3hbw7rn2f'],
})
const Kind = oneOf(KINDS, {
  description:
    '`words`: a post has one of the words; `links`: it has more links than `max_links`; `rate`: its author has written `max_posts` in `per_minutes`; `age`: the author is new, by `younger_than_hours` or `fewer_posts_than`; `duplicates`: a post of the last `per_minutes` says the same, or nearly; `hook`: an outside service decides, see the guide',
  examples: ['words'],
})
const Name = Type.String({ maxLength: 80, description: 'A name for the team', examples: ['Spam words'] })
const Action = oneOf(ACTIONS, {
  description: '`hold`: a moderator looks at the post before others see it; `refuse`: the post is refused',
  examples: ['hold'],
})
const Words = Type.Array(Type.String({ minLength: 2, maxLength: 100 }), {
  maxItems: MOST_WORDS_OF_RULE,
  description:
    'Only of `words`: whole words, or several words in their order. Letters that look alike are the same, as are accents and case. A rule has at most 5,000, and all rules together 10,000',
  examples: [['cheap pills', 'casino']],
})
const whole = (maximum: number, minimum: number, description: string, example: number) =>
  Type.Integer({ minimum, maximum, description, examples: [example] })
const MaxLinks = whole(100, 0, 'Only of `links`: more links than this are too many', 2)
const MaxPosts = whole(100, 1, 'Only of `rate`: so many posts are allowed in the time', 5)
const PerMinutes = whole(1440, 1, 'Only of `rate` and `duplicates`: the time, up to a day', 10)
const Younger = whole(8760, 1, 'Only for authors who joined less than so many hours ago', 24)
const Fewer = whole(100, 1, 'Only for authors with fewer posts that others can see', 3)

const Url = Type.String({
  minLength: 1,
  maxLength: 2048,
  description:
    'Only of `hook`: the https URL of the service, with a public address, port 443, 80 or a port from 1024 on, and without credentials',
  examples: ['https://example.com/moderation'],
})
const OnTimeout = oneOf(['hold', 'publish'], {
  description:
    'Only of `hook`: what becomes of a post if the service gives no valid answer within 5 s. Default: `hold`',
  examples: ['hold'],
})
const Secret = Type.String({
  pattern: '^whsec_[A-Za-z0-9+/]{32,86}={0,2}$',
  description:
    'Only of `hook`: the secret with which questions and answers are signed, `whsec_` and 24 to 64 bytes in base64. No answer shows it. A secret that is replaced is accepted for 24 hours more',
  examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo='],
})

/** What every rule may have. */
const common = {
  name: Type.Optional(Name),
  enabled: Type.Optional(Type.Boolean({ examples: [true] })),
  action: Type.Optional(Action),
  younger_than_hours: Type.Optional(nullable(Younger)),
  fewer_posts_than: Type.Optional(nullable(Fewer)),
}
const ofKinds = {
  words: Type.Optional(Words),
  max_links: Type.Optional(MaxLinks),
  max_posts: Type.Optional(MaxPosts),
  per_minutes: Type.Optional(PerMinutes),
  url: Type.Optional(Url),
  on_timeout: Type.Optional(OnTimeout),
}
/** It is stored sealed, by a statement of its own. */
const secret = { secret: Type.Optional(Secret) }

export const NewRule = strict(
  { kind: Kind, ...common, ...ofKinds, ...secret },
  {
    title: 'NewModerationRule',
    examples: [{ kind: 'words', name: 'Spam words', action: 'hold', words: ['cheap pills', 'casino'] }],
  },
)
export type NewRule = Static<typeof NewRule>

const changes = { ...common, name: Type.Optional(unsettable(Name)), ...ofKinds }
/** What a change sets in columns. */
export const StoredChanges = strict(changes)
export const RuleChanges = strict(
  { ...changes, ...secret },
  { title: 'ModerationRuleChanges', examples: [{ name: 'Words of spam', enabled: false }] },
)
export type RuleChanges = Static<typeof RuleChanges>

const listedFields = {
  id: RuleId,
  kind: Kind,
  name: Name,
  enabled: Type.Boolean({ examples: [true] }),
  action: Action,
  younger_than_hours: nullable(Younger),
  fewer_posts_than: nullable(Fewer),
  word_count: Type.Integer({ minimum: 0, description: 'The number of words', examples: [2] }),
  max_links: nullable(MaxLinks),
  max_posts: nullable(MaxPosts),
  per_minutes: nullable(PerMinutes),
  url: nullable(Url),
  on_timeout: nullable(OnTimeout),
  created_at: Timestamp(),
  updated_at: Timestamp(),
}
/** A rule in a list: without its words. */
export const ListedRule = Type.Object(listedFields, { title: 'ListedModerationRule' })
export type ListedRule = Static<typeof ListedRule>
export const Rule = Type.Object({ ...listedFields, words: Words }, { title: 'ModerationRule' })
export type Rule = Static<typeof Rule>

export const ByRule = strict({ id: pathId(ruleId, RuleId) })
export const ListQuery = strict({
  ...pageParameters,
  enabled: Type.Optional(Type.Boolean({ description: 'Only rules that are used, or only the others' })),
})

export const TestedPost = strict(
  {
    content: Type.String({
      minLength: 1,
      maxLength: MAX_MARKDOWN,
      description: 'The text of a post, in Markdown',
      examples: ['Cheap pills in our casino'],
    }),
    title: Type.Optional(Type.String({ maxLength: 200, examples: ['Look at this'] })),
    member_id: Type.Optional(MemberId),
  },
  { title: 'TestedPost', examples: [{ content: 'Cheap pills in our casino' }] },
)

export const Verdict = Type.Object(
  {
    action: oneOf(['publish', ...ACTIONS], {
      description: '`publish`: the post is shown at once; otherwise the action of the rules that apply',
      examples: ['hold'],
    }),
    rules: Type.Array(
      Type.Object({
        id: RuleId,
        kind: Kind,
        name: Name,
        action: Action,
        found: Type.String({
          description: 'The words, the number of links, or the fact about the author that the rule found',
          examples: ['cheap pills'],
        }),
      }),
      { description: 'The rules that apply' },
    ),
  },
  { title: 'ModerationVerdict' },
)
export type Verdict = Static<typeof Verdict>
