import { type Static, Type } from 'typebox'
import { Metadata, oneOf, strict } from '#platform/http/envelope.ts'

const Name = Type.String({ minLength: 1, maxLength: 120, description: 'What happened', examples: ['signup'] })
const Url = Type.String({
  format: 'web-url',
  maxLength: 2_048,
  description: 'The address of the page. Its query is not kept; campaign tags (`utm_*`) in it are',
  examples: ['https://example.com/pricing?utm_source=newsletter'],
})
const Referrer = Type.String({
  maxLength: 2_048,
  description: 'The address of the page before, as browsers say it',
  examples: ['https://www.google.com/'],
})

/** What events of both kinds may say. */
const common = {
  referrer: Type.Optional(Referrer),
  properties: Type.Optional(Metadata({ examples: [{ plan: 'supporter' }] })),
  user_id: Type.Optional(
    Type.String({
      maxLength: 64,
      description:
        'The member that did it. With a token it is that member, with a public key nobody can be named',
      examples: ['mem_01jcq3k8f7e8qtk4m3hbw7rn2d'],
    }),
  ),
  session_id: Type.Optional(
    Type.String({ minLength: 1, maxLength: 128, description: 'A name of your own', examples: ['s-1842'] }),
  ),
  event_id: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 128,
      description: 'An event that comes again within 8 days with the same one is stored once',
      examples: ['b1946ac9'],
    }),
  ),
  timestamp: Type.Optional(
    Type.String({
      format: 'date-time',
      description: 'When it happened: at most 7 days ago, and at most 5 minutes ahead; now where omitted',
    }),
  ),
  ip: Type.Optional(
    Type.String({
      maxLength: 45,
      description: 'With a secret key: the address of your visitor. It is hashed and never stored',
      examples: ['192.0.2.1'],
    }),
  ),
  user_agent: Type.Optional(
    Type.String({
      maxLength: 512,
      description: 'With a secret key: the user agent of your visitor. It is read and never stored',
      examples: ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'],
    }),
  ),
}
const view = {
  title: Type.Optional(Type.String({ maxLength: 300, examples: ['Pricing'] })),
  screen: Type.Optional(Type.String({ pattern: '^\\d{1,5}x\\d{1,5}$', examples: ['1920x1080'] })),
}

export const TrackBody = strict(
  { event: Name, url: Type.Optional(Url), ...common },
  { title: 'TrackedEvent', examples: [{ event: 'signup', properties: { plan: 'supporter' } }] },
)

export const PageviewBody = strict(
  { url: Url, ...view, ...common },
  {
    title: 'Pageview',
    examples: [{ url: 'https://example.com/pricing', referrer: 'https://www.google.com/', title: 'Pricing' }],
  },
)

/** An event of either kind. */
export const Item = strict(
  {
    type: Type.Optional(
      oneOf(['event', 'pageview'], {
        description: 'An event needs `event`, a page view `url`; `event` where omitted',
      }),
    ),
    event: Type.Optional(Name),
    url: Type.Optional(Url),
    ...view,
    ...common,
  },
  { title: 'BatchItem' },
)
export type Item = Static<typeof Item>

export const BatchBody = strict(
  { events: Type.Array(Item, { minItems: 1, maxItems: 1_000 }) },
  {
    title: 'Batch',
    examples: [
      {
        events: [
          { type: 'pageview', url: 'https://example.com/' },
          { event: 'signup', properties: { plan: 'supporter' } },
        ],
      },
    ],
  },
)

/** What became of one event of a batch. */
export const ItemResult = Type.Object(
  {
    status: oneOf(['accepted', 'duplicate', 'ignored', 'rejected'], {
      description:
        'A `duplicate` was stored before; `ignored`: the visitor asks not to be tracked, and the project heeds it',
    }),
    code: Type.Optional(Type.String({ description: 'Of a rejected one', examples: ['MEMBER_NOT_FOUND'] })),
    field: Type.Optional(Type.String({ examples: ['user_id'] })),
    error: Type.Optional(Type.String({ examples: ['user_id is not a member of this project'] })),
  },
  { title: 'BatchItemResult', examples: [{ status: 'accepted' }] },
)
export type ItemResult = Static<typeof ItemResult>
