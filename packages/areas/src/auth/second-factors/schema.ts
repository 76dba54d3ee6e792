import { type Static, Type } from 'typebox'
import { nullable, pathId, strict, Timestamp } from '#platform/http/envelope.ts'
import { factorId } from '../ids.ts'
import { FactorSummary } from '../schema.ts'

const Code = Type.String({
  pattern: '^\\d{6}$',
  description: 'The current code of the authenticator app',
  examples: ['492039'],
})
const FactorId = Type.String({
  description: 'The id of a second factor',
  examples: ['fac_01jcq3k8f7e8qtk4m3hbw7rn2h'],
})

export const FactorName = (standard: string) =>
  Type.String({ minLength: 1, maxLength: 120, default: standard, examples: ['Phone'] })

export const NewFactor = strict({ name: Type.Optional(FactorName('Authenticator')) })

export const Factor = Type.Object(
  {
    ...FactorSummary.properties,
    created_at: Timestamp(),
    last_used_at: nullable(Timestamp({ description: 'Null if it was never used' })),
  },
  { title: 'Factor' },
)
export type Factor = Static<typeof Factor>

export const BegunFactor = Type.Object(
  {
    ...FactorSummary.properties,
    secret: Type.String({
      description: 'The secret in Base32; it is shown only in this answer',
      examples: ['JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'],
    }),
    uri: Type.String({
      description: 'The secret as a URI; show it as a QR code',
      examples: ['otpauth://totp/Example:ada@example.com?secret=JBSWY3DPEHPK3PXP&issuer=Example'],
    }),
  },
  { title: 'BegunFactor' },
)

export const ConfirmFactor = strict({ factor_id: FactorId, code: Code })

export const ConfirmedFactor = Type.Object(
  {
    factor: Type.Object({ ...FactorSummary.properties, confirmed_at: nullable(Timestamp()) }),
    recovery_codes: Type.Array(Type.String({ examples: ['8f3k-m2qp-0x7d-zt5w'] }), {
      description:
        'Codes for a member who loses the second factor; they are shown only in this answer. Empty if the member has codes already',
    }),
  },
  { title: 'ConfirmedFactor' },
)
export type ConfirmedFactor = Static<typeof ConfirmedFactor>

export const RecoveryCodes = Type.Object(
  {
    recovery_codes: Type.Array(Type.String({ examples: ['8f3k-m2qp-0x7d-zt5w'] }), {
      description: 'The new codes; they are shown only in this answer',
    }),
  },
  { title: 'RecoveryCodes' },
)

export const AnyCode = Type.String({
  minLength: 6,
  maxLength: 40,
  description: 'A code of the authenticator app, or a recovery code',
  examples: ['492039'],
})

export const SecondStep = strict({
  mfa_token: Type.String({ minLength: 1, maxLength: 256, examples: ['bm90IGEgdG9rZW4'] }),
  code: AnyCode,
})

export const ByFactor = strict({ id: pathId(factorId, FactorId) })
export const Removed = Type.Object({
  removed: Type.Integer({
    description: 'The number of second factors and passkeys that were removed',
    examples: [2],
  }),
})
