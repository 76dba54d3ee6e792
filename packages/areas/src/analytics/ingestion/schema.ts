import { type Static, Type } from 'typebox'
import { Metadata, oneOf, strict } from '#platform/http/envelope.ts'

const Name = Type.String({
  minLength: 1,
  maxLength: 120,
  description: 'The name of the event',
  examples: ['signup'],
})
const Url = Type.String({
  format: 'web-url',
  maxLength: 2_048,
  description: 'The address of the page. The query is not stored, except for campaign tags (`utm_*`)',
  examples: ['https://example.com/pricing?utm_source=newsletter'],
})
const Referrer = Type.String({
  maxLength: 2_048,
  description: 'The address of the previous page, as the browser sends it',
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
        'The member who caused the event. With a token it must be the member of the token; with a public key it is not allowed',
      examples: ['mem_01jcq3k8f7e8qtk4m3hbw7rn2d'],
    }),
  ),
  session_id: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 128,
      description: 'An id that you choose for the session',
      examples: ['s-1842'],
    }),
  ),
  event_id: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 128,
      description:
        'An id that you choose for the event. A second event with the same id within 8 days is not stored',
      examples: ['b1946ac9'],
    }),
  ),
  timestamp: Type.Optional(
    Type.String({
      format: 'date-time',
      description: 'When the event happened: at most 7 days ago and at most 5 minutes ahead. Default: now',
    }),
  ),
  ip: Type.Optional(
    Type.String({
      maxLength: 45,
      description:
        'The IP address of your visitor; allowed with a secret key only. It gives the country, is hashed, and is never stored',
      examples: ['192.0.2.1'],
    }),
  ),
  user_agent: Type.Optional(
    Type.String({
      maxLength: 512,
      description:
        'The user agent of your visitor; allowed with a secret key only. It is read and never stored',
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
        description: 'An event needs `event`, a page view needs `url`. Default: `event`',
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

/** What the script of a site sends. */
export const SiteBody = strict(
  {
    key: Type.Optional(
      Type.String({
        maxLength: 200,
        description:
          'A public key with the capability `track`, in a body of `text/plain` only. Other bodies are sent with the header `Authorization`',
      }),
    ),
    sent_at: Type.Optional(
      Type.String({
        format: 'date-time',
        description:
          "The time of the browser's clock when it sends the body. The server then corrects each `timestamp` by the difference to its own clock",
      }),
    ),
    events: Type.Array(Item, { minItems: 1, maxItems: 1_000 }),
  },
  {
    title: 'SiteEvents',
    examples: [{ events: [{ type: 'pageview', url: 'https://example.com/pricing', title: 'Pricing' }] }],
  },
)

/** What became of one event of a batch. */
export const ItemResult = Type.Object(
  {
    status: oneOf(['accepted', 'duplicate', 'ignored', 'rejected'], {
      description:
        '`duplicate`: an event with this `event_id` is stored already; `ignored`: the visitor asks not to be tracked, and the project respects that',
    }),
    code: Type.Optional(
      Type.String({
        description: 'Why the event was rejected; absent otherwise',
        examples: ['MEMBER_NOT_FOUND'],
      }),
    ),
    field: Type.Optional(Type.String({ examples: ['user_id'] })),
    error: Type.Optional(Type.String({ examples: ['user_id is not a member of this project'] })),
  },
  { title: 'BatchItemResult', examples: [{ status: 'accepted' }] },
)
export type ItemResult = Static<typeof ItemResult>
