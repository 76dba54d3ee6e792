import type { FastifyReply, FastifyRequest } from 'fastify'
import { CONSOLE_API } from '#platform/http/server/console-access.ts'
import { REFRESH_TOKEN_DAYS } from '../sessions/queries.ts'

const NAME = 'guildhall_console'
const SECONDS = REFRESH_TOKEN_DAYS * 86_400
const LOCAL = new Set(['localhost', '127.0.0.1', '[::1]'])

/** Where the refresh token of an operator is: no script reads it, and no other site makes a browser send it. */
export class RefreshCookie {
  readonly #attributes: string

  constructor(baseUrl: string) {
    // A browser keeps no cookie with Secure that came without TLS, and there is none on one's own machine.
    const secure = LOCAL.has(new URL(baseUrl).hostname) ? '' : ' Secure;'
    this.#attributes = `Path=${CONSOLE_API}; HttpOnly;${secure} SameSite=Strict`
  }

  /** The refresh token that a request brought, or undefined. */
  read({ headers }: FastifyRequest): string | undefined {
    const cookies = headers.cookie?.split(';').map((each) => each.trim()) ?? []
    return cookies.find((each) => each.startsWith(`${NAME}=`))?.slice(NAME.length + 1) || undefined
  }

  set(reply: FastifyReply, token: string): void {
    reply.header('set-cookie', `${NAME}=${token}; Max-Age=${SECONDS}; ${this.#attributes}`)
  }

  clear(reply: FastifyReply): void {
    reply.header('set-cookie', `${NAME}=; Max-Age=0; ${this.#attributes}`)
  }
}
