import { type Static, Type } from 'typebox'
import { Email, FullName, MemberData } from '#areas/members/schema.ts'
import { envelopeOf, Metadata, nullable, oneOf, pathId, strict, Timestamp } from '#platform/http/envelope.ts'
import { MemberId } from '#platform/http/member-id.ts'
import { PASSWORD_LENGTH } from '#platform/secrets/passwords.ts'
import { ACCESS_TOKEN_SECONDS } from '#platform/tokens/ended-sessions.ts'
import { CodeChallenge } from './tokens/code-challenge.ts'

const Success = Type.Literal(true)

/** A member as the answers to a login show it. */
export type MemberShown = Static<typeof MemberData>

export const SessionId = Type.String({
  description: 'The id of a session',
  examples: ['ses_01jcq3k8f7e8qtk4m3hbw7rn2g'],
})
export const AALS = ['aal1', 'aal2'] as const
export const AalField = oneOf(AALS, {
  description:
    '`aal2`: the member logged in with two factors, or with a passkey whose authenticator verified the user; `aal1`: every other log-in',
})
export const AmrField = Type.Array(Type.String(), {
  description:
    'How the member logged in: `password`, `magic_link`, `email`, `invitation`, `passkey`, `sso`, `mfa` (a second factor of the provider), `totp`, `recovery_code`',
  examples: [['password']],
})

/** What logging in hands out. */
export const Session = Type.Object(
  {
    access_token: Type.String({
      description: 'A JWT that gives access to the member’s own data',
      examples: ['eyJhbGciOiJFUzI1NiJ9…'],
    }),
    refresh_token: Type.String({
      description: 'Used once within 7 days to get new tokens',
      examples: ['dGhpcyBpcyBub3QgYSByZWZyZXNoIHRva2Vu'],
    }),
    token_type: Type.Literal('Bearer'),
    expires_in: Type.Integer({
      description: 'How many seconds the access token is valid',
      examples: [ACCESS_TOKEN_SECONDS],
    }),
    expires_at: Timestamp({ description: 'When the access token expires' }),
  },
  { title: 'Session' },
)
export type Session = Static<typeof Session>

export const SignedIn = Type.Object(
  {
    success: Success,
    member: MemberData,
    password_set: Type.Boolean({
      description:
        'False if the member has no password and logs in in other ways. This is also the case after two sign-ups with one address and different passwords: neither password is used. `POST /auth/password/forgot` sends a mail to set one',
      examples: [true],
    }),
    session: Session,
  },
  { title: 'SignedIn' },
)

const FACTOR_TYPES = ['totp', 'passkey'] as const
export const FactorSummary = Type.Object(
  {
    id: Type.String({ examples: ['fac_01jcq3k8f7e8qtk4m3hbw7rn2h'] }),
    type: oneOf(FACTOR_TYPES, { description: 'An authenticator app, or a passkey' }),
    name: Type.String({ examples: ['Phone'] }),
  },
  { title: 'FactorSummary' },
)
export type FactorSummary = Static<typeof FactorSummary>

export const MfaRequired = Type.Object(
  {
    success: Success,
    mfa_required: Type.Literal(true),
    mfa_token: Type.String({
      description: 'Send it to `POST /auth/mfa/verify` within 15 minutes',
      examples: ['bm90IGEgdG9rZW4'],
    }),
    factors: Type.Array(FactorSummary),
  },
  { title: 'MfaRequired', description: 'The member has a second factor: send it to log in' },
)

/** Where every way to log in ends: with a session, or with the question for a second factor. */
export const SignInAnswer = Type.Union([SignedIn, MfaRequired], { title: 'LogInResponse' })
export type SignInAnswer = Static<typeof SignInAnswer>

export const SignUpAnswer = envelopeOf(
  {
    member: MemberData,
    session: Type.Union([Session, Type.Null()], {
      description: 'Null if the address must be confirmed first; a mail was sent',
    }),
  },
  { title: 'SignUpAnswer' },
)

/** The answer that says nothing about whether there is such an account. */
export const Sent = envelopeOf(
  {
    message: Type.String({ examples: ['If the address is known, a mail was sent to it'] }),
  },
  { title: 'Sent' },
)

export const Password = Type.String({
  ...PASSWORD_LENGTH,
  format: 'password',
  description: 'Common passwords are refused',
  examples: ['correct horse battery'],
})
export const RedirectUrl = Type.String({
  maxLength: 2048,
  description: 'The page behind the link leads to this URL. The project must allow it',
  examples: ['https://app.example.com/welcome'],
})

export const MailChallenge = Type.String({
  ...CodeChallenge,
  description:
    'The SHA-256 of a random `code_verifier`, in base64url (PKCE, S256). Your site keeps the `code_verifier` and sends it with the token or the code: they log in only together',
})

export const SignUp = strict(
  {
    email: Email,
    password: Password,
    full_name: Type.Optional(FullName),
    metadata: Type.Optional(Metadata()),
    redirect_url: Type.Optional(RedirectUrl),
    code_challenge: Type.Optional(MailChallenge),
  },
  { title: 'SignUp', examples: [{ email: 'ada@example.com', password: 'correct horse battery' }] },
)
export type SignUp = Static<typeof SignUp>

export const Login = strict(
  {
    email: Email,
    // Old passwords may be shorter or more common than the present rule allows.
    password: Type.String({
      minLength: 1,
      maxLength: PASSWORD_LENGTH.maxLength,
      examples: ['correct horse battery'],
    }),
  },
  { title: 'Login' },
)

export const LOGOUT_SCOPES = ['this', 'others', 'all'] as const
export type LogoutScope = (typeof LOGOUT_SCOPES)[number]
export const Logout = strict({
  scope: Type.Optional(oneOf(LOGOUT_SCOPES, { default: 'this', description: 'The sessions that end' })),
})
export const Ended = Type.Object({
  ended: Type.Integer({ description: 'The number of sessions that were ended', examples: [1] }),
})

export const Refresh = strict({
  refresh_token: Type.String({
    minLength: 1,
    maxLength: 256,
    examples: ['dGhpcyBpcyBub3QgYSByZWZyZXNoIHRva2Vu'],
  }),
})

export const SessionRecord = Type.Object(
  {
    id: SessionId,
    ip: nullable(Type.String({ examples: ['192.0.2.1'] })),
    user_agent: nullable(Type.String({ examples: ['Mozilla/5.0'] })),
    aal: AalField,
    amr: AmrField,
    created_at: Timestamp(),
    last_seen_at: Timestamp({ description: 'When the session logged in or was last refreshed' }),
    expires_at: Timestamp({ description: 'When the session ends if it is not refreshed' }),
    current: Type.Boolean({ description: 'True for the session of this request' }),
  },
  { title: 'SessionRecord' },
)
export type SessionRecord = Static<typeof SessionRecord>

export const END_REASONS = ['logout', 'revoked', 'password', 'token_reuse', 'first_confirmation'] as const
export type EndReason = (typeof END_REASONS)[number]

export const BySession = strict({ id: pathId('session', SessionId) })
export const ByMember = strict({ id: pathId('member', MemberId) })

/** An operator, as the operator and team members see it. */
export const OperatorShown = Type.Object(
  {
    id: Type.String({ description: 'The id of an operator', examples: ['op_01jcq3k8f7e8qtk4m3hbw7rn2d'] }),
    email: Type.String({ examples: ['ada@example.com'] }),
    full_name: Type.String({ examples: ['Ada Lovelace'] }),
  },
  { title: 'Operator' },
)
export type OperatorShown = Static<typeof OperatorShown>
