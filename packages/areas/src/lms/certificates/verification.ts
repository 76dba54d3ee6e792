import type { FastifyReply, FastifyRequest } from 'fastify'
import { defineError } from '#platform/define-error.ts'
import type { AreaDeps } from '#platform/deps.ts'
import { enforceLimit } from '#platform/http/limits/enforce-limits.ts'
import { subscriberOf } from '#platform/http/server/client-address.ts'
import { newUuid } from '#platform/ids.ts'
import { readCode } from './code.ts'
import { getByCode, getIssuer, type Issuer, projectOfCode } from './queries.ts'
import type { Verification } from './schema.ts'

/** Where our own page of a certificate is, before its code. */
export const PAGE_PATH = '/certificates'
const WHY = 'verify a certificate'
/** Verifications per minute of a client address. */
const VERIFICATIONS = 30

export const tooManyCodes = defineError({
  code: 'RATE_LIMITED',
  status: 429,
  message: 'Too many codes were tried from this address; wait for the number of seconds in `Retry-After`',
})

/** Where anybody can verify a certificate: a page of the project, or ours. */
export const addressOf = ({ certificate_url }: Issuer, code: string, baseUrl: string): string =>
  certificate_url?.replace('{code}', code) ?? `${baseUrl}${PAGE_PATH}/${code}`

/** Counts a try against the client's address. @throws ApiError 429 */
export async function countVerification(
  { limiter }: AreaDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const id = `certificates:${subscriberOf(request.ip)}`
  enforceLimit(request, reply, await limiter.take({ policy: 'address', id, points: VERIFICATIONS }))
}

/** What a certificate says to whoever knows its code, and who issued it; undefined for every other code. */
export async function verify(
  { asSystem }: AreaDeps,
  text: string,
): Promise<{ verification: Verification; issuer: Issuer } | undefined> {
  const code = readCode(text)
  if (code === undefined) return undefined
  // Asked in a project that does not exist: the code says which one it is.
  const { project } = await asSystem(newUuid(), WHY).read({ project: projectOfCode({ code }) })
  if (project === null) return undefined
  const { found, issuer } = await asSystem(project, WHY).read({
    found: getByCode({ code }),
    issuer: getIssuer(),
  })
  const replaced = found.replaced_by !== null
  const verification = {
    student_name: found.member_name,
    course_title: found.course_title,
    issued_at: found.issued_at,
    valid: found.revoked_at === null && !replaced,
    replaced,
  }
  return { verification, issuer }
}
