import { type Static, Type } from 'typebox'
import { Metadata, MetadataOut, oneOf, strict, Timestamp } from '#platform/http/envelope.ts'
import { pageParameters } from '#platform/http/page.ts'
import { LONGEST_RESERVE_HOURS, RESERVE_HOURS } from '../payments/account-for.ts'

const AccountId = Type.String({
  description: 'The id of a payment account',
  examples: ['pacc_01jcq3k8f7e8qtk4m3hbw7rn2n'],
})
const Provider = oneOf(['manual', 'stripe'], { description: '`manual`: money is taken by hand' })
const Name = Type.String({ minLength: 1, maxLength: 120, examples: ['Main account'] })
const settings = {
  description: 'Free-form data of yours, and what the provider `manual` reads of it',
  properties: {
    instructions: Type.String({
      minLength: 1,
      maxLength: 2000,
      description: 'With `manual`: how to pay. Mails about bills that are due show it',
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
const Secrets = strict(
  {
    secret_key: Type.String({
      ...Secret,
      description: 'The secret key of the provider',
      examples: ['sk_test_4eC39HqLyjWDarj'],
    }),
    webhook_secret: Type.String({
      ...Secret,
      description: 'The secret with which the provider signs its messages',
      examples: ['whsec_5WbX5kEWLlfzsGNjH64I'],
    }),
  },
  {
    title: 'PaymentAccountSecrets',
    description: 'The secrets of the account; stored encrypted and never shown',
  },
)

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
    has_secrets: Type.Boolean({ examples: [true] }),
    webhook_url: Type.String({
      description: 'The address to which the provider sends its messages',
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
  },
  { title: 'NewPaymentAccount', examples: [{ provider: 'manual', name: 'By bank transfer' }] },
)
export type NewPaymentAccount = Static<typeof NewPaymentAccount>

export const PaymentAccountChanges = strict(
  {
    name: Type.Optional(Name),
    is_default: Type.Optional(Type.Boolean()),
    settings: Type.Optional(Metadata(settings)),
    secrets: Type.Optional(Secrets),
  },
  { title: 'PaymentAccountChanges', examples: [{ name: 'Main account' }] },
)
export type PaymentAccountChanges = Static<typeof PaymentAccountChanges>

export const ById = strict({ id: AccountId })
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
