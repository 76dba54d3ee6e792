/** A message that endpoints of customers are sent. */
export interface WebhookMessage {
  readonly name: string
  readonly description: string
  /** JSON Schema of the body. */
  readonly schema: unknown
  readonly example: unknown
}

const HEADERS = [
  [
    'webhook-id',
    'The id of the event: the same for every attempt and replay',
    'evt_01jcq3k8f7e8qtk4m3hbw7rn2j',
  ],
  [
    'webhook-timestamp',
    'When this attempt was made, as Unix time; refuse a message that is older than 5 minutes',
    '1795251600',
  ],
  [
    'webhook-signature',
    'Signatures of `<webhook-id>.<webhook-timestamp>.<body>`, separated by spaces: `v1,` and an HMAC-SHA-256 in Base64, or `v1a,` and an Ed25519 signature. The message is valid if one of them fits',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ],
] as const

/** The part `webhooks` of the API's document: what each event sends, and what an endpoint may answer. */
export const webhooksOf = (messages: readonly WebhookMessage[]): Record<string, object> =>
  Object.fromEntries(messages.map((message) => [message.name, { post: operationOf(message) }]))

const operationOf = ({ name, description, schema, example }: WebhookMessage) => ({
  operationId: `webhook_${name.replaceAll(/[^a-z0-9]+/g, '_')}`,
  summary: name,
  description: `${description}. If the endpoint has \`payload: thin\`, \`data\` has only the id and the kind of the object.`,
  tags: ['Webhooks'],
  security: [],
  parameters: HEADERS.map(([header, meaning, value]) => ({
    name: header,
    in: 'header',
    required: true,
    description: meaning,
    schema: { type: 'string' },
    example: value,
  })),
  requestBody: { required: true, content: { 'application/json': { schema, example } } },
  responses: {
    '2XX': {
      description:
        'The message was received. With any other answer, or with none within 15 seconds, it is sent again',
    },
    '410': { description: 'The endpoint wants no more messages; it is disabled' },
  },
})
