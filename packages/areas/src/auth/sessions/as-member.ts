import { sql } from 'kysely'
import { areOperatorSessionsMailed, makeSendMail, type SendMail } from '#areas/mail/service.ts'
import { readMember } from '#areas/members/service.ts'
import { audit } from '#platform/audit.ts'
import type { Config } from '#platform/config.ts'
import { defineQuery, pick } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'
import { invalidField } from '#platform/errors.ts'
import { emit } from '#platform/events/emit.ts'
import { newUuid, toId } from '#platform/ids.ts'
import { type Claims, OPERATOR_SESSION_SECONDS, type OperatorLogin } from '#platform/tokens/access-token.ts'
import { sessionCreated } from '../events.ts'
import { operatorLoggedIn } from '../mails.ts'
import { lockActiveMember } from '../member-queries.ts'

/** How an operator has logged in as a member, in `amr`. */
export const BY_OPERATOR = 'operator'

interface NewSession {
  id: string
  member_id: string
  ip: string | null
  user_agent: string | null
}
/** A session that ends with its one access token. */
const insertShortSession = defineQuery('insert_operator_session', (v: NewSession) =>
  query.insertInto('sessions').values({
    ...pick(v, 'id', 'member_id', 'ip', 'user_agent'),
    aal: 'aal1',
    amr: [BY_OPERATOR],
    expires_at: sql<string>`now() + make_interval(secs => ${sql.lit(OPERATOR_SESSION_SECONDS)})`,
  }),
)

/** A log-in of an operator as a member. */
export interface LoginAsMember {
  /** The stored id. */
  readonly memberId: string
  readonly operator: OperatorLogin
  readonly reason: string | undefined
  readonly device: { readonly ip: string | null; readonly userAgent: string | null }
}

/**
 * Logs an operator in as a member: a session without a refresh token, which the audit log has, and of which the member is told
 * unless the project has turned that off.
 * @throws ApiError 404; 422 for a member who is not active
 */
export async function openSessionAs(
  ctx: Context,
  sendMail: SendMail,
  { memberId, operator, reason, device }: LoginAsMember,
): Promise<Claims> {
  const member = await readMember(ctx, { id: memberId })
  const locked = await lockActiveMember(ctx, { id: memberId })
  if (locked === undefined)
    throw invalidField('member_id', 'active', 'is not active: nobody can log in as this member')
  const id = newUuid()
  const { ip, userAgent: user_agent } = device
  insertShortSession(ctx, { id, member_id: memberId, ip, user_agent })
  const amr = [BY_OPERATOR]
  emit(ctx, sessionCreated, {
    ...{ id: toId('session', id), member_id: toId('member', memberId), aal: 'aal1', amr },
    // Whence the operator works is no matter of the project's receivers.
    ...{ ip: null, user_agent: null },
  })
  audit(ctx, {
    action: 'member.log_in_as',
    target: toId('member', memberId),
    reason,
    after: { session_id: toId('session', id) },
  })
  if (await areOperatorSessionsMailed(ctx))
    sendMail(ctx, operatorLoggedIn, {
      to: { address: locked.email, name: member.full_name, memberId },
      values: {},
    })
  return {
    ...{ projectId: ctx.projectId, memberId, sessionId: id, role: locked.role, aal: 'aal1', amr },
    operator,
  }
}

/** Makes what logs operators in as members; once per process. */
export const makeOpenSessionAs = (config: Pick<Config, 'SECRET_KEY'>) => {
  const sendMail = makeSendMail(config)
  return (ctx: Context, login: LoginAsMember) => openSessionAs(ctx, sendMail, login)
}
