import { Type } from 'typebox'
import { defineError } from '#platform/define-error.ts'
import type { AreaDeps } from '#platform/deps.ts'
import { notFound } from '#platform/errors.ts'
import type { Api } from '#platform/http/api.ts'
import { envelope, ok } from '#platform/http/envelope.ts'
import { enforceLimit } from '#platform/http/limits/enforce-limits.ts'
import { callerOf } from '#platform/http/server/authenticate.ts'
import { subscriberOf } from '#platform/http/server/client-address.ts'
import { idFromPath } from '#platform/ids.ts'
import { viewerOf } from '../access.ts'
import { certificateId } from '../ids.ts'
import { readCode } from './code.ts'
import { startCertificatePrinter } from './pdf/certificate-printer.ts'
import { getByCode, getCertificate, projectOfCode } from './queries.ts'
import { toCertificate } from './rows.ts'
import { ByCode, ById, Certificate, FormatQuery, Revocation, Verification } from './schema.ts'
import { revokeCertificate } from './service.ts'

const tags = ['Courses']
/** In no project: there, a code says which one. */
const NOWHERE = '00000000-0000-0000-0000-000000000000'
const WHY = 'verify a certificate'
/** Verifications per minute of a client address. */
const VERIFICATIONS = 30

/** A certificate, or the page of it. */
const asked = {
  description: 'The certificate',
  content: {
    'application/json': { schema: envelope(Certificate) },
    'application/pdf': { schema: Type.Unsafe<unknown>({ examples: ['The bytes of the PDF'] }) },
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
      const viewer = viewerOf(request)
      const row = await request.inProject((ctx) => getCertificate(ctx, viewer, id))
      const certificate = toCertificate(row)
      if (request.query.format === 'json') return ok(certificate)
      const page = {
        studentName: row.member_name,
        courseTitle: row.course_title,
        issuedAt: row.issued_at,
        code: certificate.code,
        revoked: row.revoked_at !== null,
      }
      const { projectId, actor } = callerOf(request)
      const caller = 'id' in actor ? actor.id : actor.kind
      const pdf = Buffer.from(await printer.run(page, { projectId, caller }))
      reply.headers({
        'content-type': 'application/pdf',
        'content-disposition': `attachment; filename="${certificate.id}.pdf"`,
        'cache-control': 'private, no-store',
      })
      return reply.send(pdf as never)
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
      const project = await asSystem(NOWHERE, WHY, (ctx) => projectOfCode(ctx, code))
      if (project === null) throw notFound('Certificate')
      const found = await asSystem(project, WHY, (ctx) => getByCode(ctx, code))
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
      return ok(await request.inProject((ctx) => revokeCertificate(ctx, id, reason)))
    },
  )
}
