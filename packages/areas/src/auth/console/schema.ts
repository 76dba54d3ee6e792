import { Type } from 'typebox'
import { envelopeOf, nullable, Timestamp } from '#platform/http/envelope.ts'
import { MfaRequired, OperatorShown, Session } from '../schema.ts'
import { IdleMinutes } from './idle.ts'

const Success = Type.Literal(true)

const { refresh_token: _inTheCookie, ...tokens } = Session.properties

export const ConsoleSession = Type.Object(tokens, {
  title: 'ConsoleSession',
  description: 'The access token. Keep it in memory; the refresh token is in a cookie',
})

export const ConsoleSignedIn = Type.Object(
  { success: Success, operator: OperatorShown, session: ConsoleSession },
  { title: 'ConsoleSignedIn' },
)

/** Where every way to log in ends. */
export const ConsoleSignIn = Type.Union([ConsoleSignedIn, MfaRequired], { title: 'ConsoleLogInResponse' })

export const ConsoleSignUp = Type.Object(
  {
    success: Success,
    operator: OperatorShown,
    session: Type.Union([ConsoleSession, Type.Null()], {
      description: 'Null: the address must be confirmed first; a mail was sent',
    }),
  },
  { title: 'ConsoleSignUp' },
)

export const ConsoleRefreshed = envelopeOf({ session: ConsoleSession }, { title: 'ConsoleRefreshed' })

/** Who is logged in. */
export const Me = Type.Object(
  {
    ...OperatorShown.properties,
    is_administrator: Type.Boolean({
      description: 'Whether the operator administers the whole installation',
      examples: [false],
    }),
    created_at: Timestamp(),
    last_login_at: nullable(Timestamp()),
    idle_minutes: IdleMinutes,
    sign_up: Type.String({ description: '`closed`, `invited` or `open`', examples: ['closed'] }),
  },
  { title: 'Me' },
)
