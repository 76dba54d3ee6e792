import { Type } from 'typebox'
import { defineError } from '#platform/define-error.ts'
import type { AreaDeps } from '#platform/deps.ts'
import { notFound } from '#platform/errors.ts'
import { emit } from '#platform/events/emit.ts'
import type { Api } from '#platform/http/api.ts'
import { envelope, ok } from '#platform/http/envelope.ts'
import { enforceLimit } from '#platform/http/limits/enforce-limits.ts'
import { callerOf } from '#platform/http/server/authenticate.ts'
import { subscriberOf } from '#platform/http/server/client-address.ts'
import { credentialOf, KEY } from '#platform/http/viewer.ts'
import { idFromPath, newUuid } from '#platform/ids.ts'
import { certificateRevoked } from '../events.ts'
import { certificateId } from '../ids.ts'
import { readCode } from './code.ts'
import { startCertificatePrinter } from './pdf/certificate-printer.ts'
import { getByCode, getCertificate, projectOfCode, setRevoked } from './queries.ts'
import { ByCode, ById, Certificate, FormatQuery, Revocation, Verification } from './schema.ts'

const tags = ['Courses']
const WHY = 'verify a certificate'
/** Verifications per minute of a client address. */
const VERIFICATIONS = 30

/** A certificate, or the page of it. */
const asked = {
  description: 'The certificate',
  content: {
    'application/json': { schema: envelope(Certificate) },
    'application/pdf': { schema: Type.Unsafe<Buffer>({ examples: ['The bytes of the PDF'] }) },
  },
}

const tooManyCodes = defineError({
  code: 'RATE_LIMITED',
  status: 429,
  message: 'Too many codes were tried from this address; wait for the number of seconds in `Retry-After`',
})

export function certificateRoutes(api: Api, { limiter, asSystem }: AreaDeps): void {
  const printer = startCertificatePrinter()
  api.addHook('onClose', () => printer.close())

  api.get(
    '/lms/certificates/:id',
    {
      config: { access: { secret: 'read:learning', user: 'self' } },
      schema: {
        tags,
        operationId: 'getCertificate',
        summary: 'Get a certificate',
        description:
          'A member gets own certificates only. `format=pdf` answers a PDF of one page with the name, the course, the date and the code.',
        params: ById,
        querystring: FormatQuery,
        response: { 200: asked },
      },
    },
    async (request, reply) => {
      const id = idFromPath(certificateId, request.params.id)
      const { certificate } = await request.read({
        certificate: getCertificate({ id, ...credentialOf(request) }),
      })
      if (request.query.format === 'json') return ok(certificate)
      const page = {
        studentName: certificate.student_name,
        courseTitle: certificate.course_title,
        issuedAt: certificate.issued_at,
        code: certificate.code,
        revoked: certificate.revoked_at !== null,
      }
      const { projectId, actor } = callerOf(request)
      const caller = 'id' in actor ? actor.id : actor.kind
      const pdf = Buffer.from(await printer.run(page, { projectId, caller }))
      reply.headers({
        'content-type': 'application/pdf',
        'content-disposition': `attachment; filename="${certificate.id}.pdf"`,
        'cache-control': 'private, no-store',
      })
      return reply.send(pdf)
    },
  )

  api.get(
    '/lms/certificates/verify/:code',
    {
      config: {
        access: 'open',
        errors: [tooManyCodes],
      },
      schema: {
        tags,
        operationId: 'verifyCertificate',
        summary: 'Verify a certificate',
        description:
          'Everybody who knows the code can verify the certificate. Every other code answers 404. The number of codes that one address can try in a minute is limited.',
        params: ByCode,
        response: { 200: envelope(Verification) },
      },
    },
    async (request, reply) => {
      const id = `certificates:${subscriberOf(request.ip)}`
      enforceLimit(request, reply, await limiter.take({ policy: 'address', id, points: VERIFICATIONS }))
      const code = readCode(request.params.code)
      if (code === undefined) throw notFound('Certificate')
      // Asked in a project that there is not: the code says which one it is.
      const { project } = await asSystem(newUuid(), WHY).read({ project: projectOfCode({ code }) })
      if (project === null) throw notFound('Certificate')
      const { found } = await asSystem(project, WHY).read({ found: getByCode({ code }) })
      return ok({
        student_name: found.member_name,
        course_title: found.course_title,
        issued_at: found.issued_at,
        valid: found.revoked_at === null,
      })
    },
  )

  api.post(
    '/lms/certificates/:id/revoke',
    {
      config: { oneTransaction: true, access: { secret: 'write:learning' } },
      schema: {
        tags,
        operationId: 'revokeCertificate',
        summary: 'Revoke a certificate',
        description:
          'The certificate is then shown as revoked when somebody verifies it. The enrollment stays completed. A certificate that is revoked already does not change.',
        params: ById,
        body: Revocation,
        response: { 200: envelope(Certificate) },
      },
    },
    async (request) => {
      const id = idFromPath(certificateId, request.params.id)
      const { reason = null } = request.body
      const certificate = await request.write(async (ctx) => {
        const before = await getCertificate(ctx, { id, ...KEY })
        const revoked = await setRevoked(ctx, { id, reason })
        if (revoked === undefined) return before
        emit(ctx, certificateRevoked, revoked)
        return revoked
      })
      return ok(certificate)
    },
  )
}
