import { type Static, Type } from 'typebox'
import { Metadata, MetadataOut, nullable, oneOf, pathId, strict, Timestamp } from '#platform/http/envelope.ts'
import { pageParameters } from '#platform/http/page.ts'
import { accountId } from '../ids.ts'
import { LONGEST_RESERVE_HOURS, RESERVE_HOURS } from '../payments/accounts.ts'

const AccountId = Type.String({
  description: 'The id of a payment account',
  examples: ['pacc_01jcq3k8f7e8qtk4m3hbw7rn2n'],
})
const Provider = oneOf(['manual', 'stripe'], { description: '`manual`: money is taken by hand' })
const Name = Type.String({ minLength: 1, maxLength: 120, examples: ['Main account'] })
const settings = {
  description: 'Free-form data. The provider `manual` reads the fields below',
  properties: {
    instructions: Type.String({
      minLength: 1,
      maxLength: 2000,
      description: 'With `manual`: the instructions to pay. Mails about due bills show them',
      examples: ['Account DE02 1203 0000 0000 2020 51, reference: the number of the bill'],
    }),
    reserve_hours: Type.Integer({
      minimum: 1,
      maximum: LONGEST_RESERVE_HOURS,
      description: `With \`manual\`: how many hours the stock of an unpaid order is reserved. Default: ${RESERVE_HOURS}`,
      examples: [72],
    }),
  },
  examples: [{ reserve_hours: 72 }],
}

/** No spaces or control characters: keys go into headers. */
const Secret = { minLength: 8, maxLength: 300, pattern: '^[\\x21-\\x7e]+$' }
const SecretKey = Type.String({
  ...Secret,
  description:
    'The secret key of Stripe (`sk_…`), or a restricted one (`rk_…`). The test side takes test keys, the live side live ones. It is tried once',
  examples: ['sk_test_4eC39HqLyjWDarj'],
})
const WebhookSecret = Type.Optional(
  Type.String({
    ...Secret,
    description:
      'The signing secret (`whsec_…`) of the webhook endpoint that you add at Stripe for `webhook_url`. It can be sent later with PATCH; until then messages are refused and a worker asks about payments instead',
    examples: ['whsec_5WbX5kEWLlfzsGNjH64I'],
  }),
)
const secrets = {
  description: 'The secrets of the account; stored encrypted and never shown',
}
const Secrets = strict(
  { secret_key: SecretKey, webhook_secret: WebhookSecret },
  { title: 'PaymentAccountSecrets', ...secrets },
)
const SecretChanges = strict(
  { secret_key: Type.Optional(SecretKey), webhook_secret: WebhookSecret },
  { title: 'PaymentAccountSecretChanges', ...secrets },
)
const PublishableKey = Type.String({
  ...Secret,
  description:
    'The publishable key of Stripe (`pk_…`). Browsers need it; payments show it beside `client_secret`',
  examples: ['pk_test_TYooMQauvdEDq54NiTphI7jx'],
})

export const PaymentAccount = Type.Object(
  {
    id: AccountId,
    provider: Provider,
    name: Name,
    is_default: Type.Boolean({
      description: 'True for the account with which new subscriptions and orders are paid',
      examples: [true],
    }),
    settings: MetadataOut,
    has_secrets: Type.Boolean({ description: 'True if there is a secret key', examples: [true] }),
    has_webhook_secret: Type.Boolean({
      description: 'True if messages of the provider can be checked',
      examples: [true],
    }),
    publishable_key: nullable(PublishableKey),
    webhook_url: Type.String({
      description: 'The address to which the provider sends its messages',
      format: 'web-url',
      examples: ['https://api.example.com/api/v1/payment-accounts/pacc_01jcq3k8f7e8qtk4m3hbw7rn2n/webhook'],
    }),
    created_at: Timestamp(),
    updated_at: Timestamp(),
  },
  { title: 'PaymentAccount' },
)
export type PaymentAccount = Static<typeof PaymentAccount>

export const NewPaymentAccount = strict(
  {
    provider: Provider,
    name: Name,
    is_default: Type.Optional(
      Type.Boolean({
        description: 'True replaces the present default account. Default: true for the first account',
      }),
    ),
    settings: Type.Optional(Metadata(settings)),
    secrets: Type.Optional(Secrets),
    publishable_key: Type.Optional(PublishableKey),
  },
  { title: 'NewPaymentAccount', examples: [{ provider: 'manual', name: 'By bank transfer' }] },
)
export type NewPaymentAccount = Static<typeof NewPaymentAccount>

export const PaymentAccountChanges = strict(
  {
    name: Type.Optional(Name),
    is_default: Type.Optional(Type.Boolean()),
    settings: Type.Optional(Metadata(settings)),
    secrets: Type.Optional(SecretChanges),
    publishable_key: Type.Optional(nullable(PublishableKey)),
  },
  { title: 'PaymentAccountChanges', examples: [{ name: 'Main account' }] },
)
export type PaymentAccountChanges = Static<typeof PaymentAccountChanges>

export const ById = strict({ id: pathId(accountId, AccountId) })
export const AccountsQuery = strict(pageParameters)
export const Received = Type.Object(
  {
    received: Type.Boolean({
      description: 'False if the message came before, or is not about this project',
      examples: [true],
    }),
  },
  { title: 'NoticeReceived' },
)
