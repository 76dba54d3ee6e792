import { type Static, Type } from 'typebox'
import { nullable, oneOf, strict } from '#platform/http/envelope.ts'
import { KIND_NAMES, KINDS, type Kind, MAIL_MODES } from '../kinds.ts'

const InProduct = Type.Boolean({
  description: 'Whether notifications of this kind are listed',
  examples: [true],
})
const Mail = oneOf(MAIL_MODES, {
  title: 'MailMode',
  description:
    '`now`: soon, at most one mail an hour with all that came meanwhile; `daily`: at 8 in the morning; `weekly`: on Mondays at 8; `never`: no mail',
  examples: ['daily'],
})

const Channels = Type.Object({ in_product: InProduct, mail: Mail })
const ChannelChanges = strict({
  in_product: Type.Optional(nullable(InProduct)),
  mail: Type.Optional(nullable(Mail)),
})

const each = <T>(toField: (kind: Kind) => T) =>
  Object.fromEntries(KIND_NAMES.map((kind) => [kind, toField(kind)])) as Record<Kind, T>

const TimeZone = Type.String({
  maxLength: 64,
  description:
    'The IANA time zone in which daily and weekly mails come; null for the time zone of the project',
  examples: ['Europe/Berlin'],
})

export const Preferences = Type.Object(
  {
    time_zone: nullable(TimeZone),
    ...each((kind) => ({
      ...Channels,
      description: `How notifications of this kind reach the member: ${KINDS[kind].words}`,
    })),
  },
  { title: 'NotificationPreferences' },
)
export type Preferences = Static<typeof Preferences>

export const PreferenceChanges = strict(
  {
    time_zone: Type.Optional(nullable(TimeZone)),
    ...each((kind) =>
      Type.Optional({
        ...ChannelChanges,
        description: `How notifications of this kind reach the member: ${KINDS[kind].words}`,
      } as typeof ChannelChanges),
    ),
  },
  {
    title: 'NotificationPreferenceChanges',
    examples: [{ like: { mail: 'weekly' }, time_zone: 'Europe/Berlin' }],
  },
)
