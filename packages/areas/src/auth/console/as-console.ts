import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Access, OperatorAccess } from '#platform/http/access.ts'
import type { Api } from '#platform/http/api.ts'
import { memberOf } from '#platform/http/caller.ts'
import { parseId, toId } from '#platform/ids.ts'
import { recentLoginRequired } from '../errors.ts'
import { type MemberShown, type OperatorShown, type Session, SignInAnswer, SignUpAnswer } from '../schema.ts'
import { findRecentLogin } from '../sessions/queries.ts'
import type { RefreshCookie } from './refresh-cookie.ts'
import { ConsoleSignIn, ConsoleSignUp } from './schema.ts'

// Operators log in by the routes by which members do: this file offers those routes below /console/api. `/auth/login` is `/login`
// there; the built-in project stands in place of a key's, and the refresh token is in a cookie in place of the answer.

type Handler = (this: unknown, request: FastifyRequest, reply: FastifyReply) => unknown

interface Options {
  readonly config: { readonly access: Exclude<Access, 'open'>; readonly errors?: readonly unknown[] }
  readonly schema: { readonly tags?: string[]; readonly response: Readonly<Record<number, unknown>> }
}

interface Parts {
  readonly cookie: RefreshCookie
  /** Paths of /api/v1 that the console has routes of its own for, or none. */
  readonly without: ReadonlySet<string>
  /** Runs before the handlers of some paths. */
  readonly before: Readonly<Record<string, (request: FastifyRequest) => void | Promise<void>>>
  /** Paths that need a log-in, or a confirmation, within the last 10 minutes. */
  readonly recent: ReadonlySet<string>
}

/** An API to which the routes of members are added as routes of operators. Routes of keys are left out. */
export function asConsole(api: Api, { cookie, without, before, recent }: Parts): Api {
  const add =
    (method: 'get' | 'post' | 'put' | 'patch' | 'delete') =>
    (url: string, options: Options, handler: Handler): unknown => {
      const operator = operatorAccess(options.config.access)
      if (operator === undefined || !url.startsWith('/auth/') || without.has(url)) return api
      const serve: Handler = async function (request, reply) {
        await before[url]?.(request)
        if (recent.has(url)) await assertRecentLogin(request)
        const answer = await handler.call(this, request, reply)
        return withoutRefreshToken(answer, cookie, reply)
      }
      const { schema } = options
      const route = {
        ...options,
        config: {
          ...options.config,
          access: { operator },
          ...(recent.has(url) && { errors: [...(options.config.errors ?? []), recentLoginRequired] }),
        },
        schema: { ...schema, tags: ['Log in'], response: answersOf(schema.response) },
      }
      return api[method](url.slice('/auth'.length), route as never, serve as never)
    }
  const methods = {
    get: add('get'),
    post: add('post'),
    put: add('put'),
    patch: add('patch'),
    delete: add('delete'),
  }
  return Object.assign(Object.create(api), methods) as Api
}

/** @throws ApiError 403 RECENT_LOGIN_REQUIRED */
export async function assertRecentLogin(request: FastifyRequest): Promise<void> {
  const { recent } = await request.read({ recent: findRecentLogin({ id: memberOf(request).sessionId }) })
  if (recent === undefined) throw recentLoginRequired()
}

/** Who may call it in the console: whoever could with a key of a site, or with the own token. */
function operatorAccess({ public: capability, user }: Exclude<Access, 'open'>): OperatorAccess | undefined {
  if (user === 'self') return 'self'
  return capability === 'auth' ? 'entry' : undefined
}

const answersOf = (response: Readonly<Record<number, unknown>>) =>
  Object.fromEntries(
    Object.entries(response).map(([status, schema]) => {
      if (schema === SignInAnswer) return [status, ConsoleSignIn]
      return [status, schema === SignUpAnswer ? ConsoleSignUp : schema]
    }),
  )

interface Answer {
  readonly member: MemberShown
  readonly session: Session | null
}

const isSignedIn = (answer: unknown): answer is Answer =>
  typeof answer === 'object' && answer !== null && 'member' in answer && 'session' in answer

function withoutRefreshToken(answer: unknown, cookie: RefreshCookie, reply: FastifyReply): unknown {
  if (!isSignedIn(answer)) return answer
  const { member, session } = answer
  if (session !== null) cookie.set(reply, session.refresh_token)
  const operator = toOperator(member)
  return { success: true as const, operator, session }
}

/** A member of the built-in project as an operator. */
export const toOperator = ({
  id,
  email,
  full_name,
}: Pick<MemberShown, 'id' | 'email' | 'full_name'>): OperatorShown => ({
  id: toId('operator', parseId('member', id) ?? ''),
  email,
  full_name,
})
