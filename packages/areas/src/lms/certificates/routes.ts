import { Type } from 'typebox'
import type { AreaDeps } from '#platform/deps.ts'
import { notFound } from '#platform/errors.ts'
import { emit } from '#platform/events/emit.ts'
import type { Api } from '#platform/http/api.ts'
import { callerOf } from '#platform/http/caller.ts'
import { envelope } from '#platform/http/envelope.ts'
import { credentialOf, KEY } from '#platform/http/viewer.ts'
import { enqueue } from '#platform/jobs/enqueue.ts'
import { certificateIsRevoked, nameNotPrintable, nameRequired } from '../errors.ts'
import { certificateRevoked } from '../events.ts'
import { keptPage, removeKeptPages } from './kept-pages.ts'
import { type CertificatePrinter, pageOf, printed, startCertificatePrinter } from './print.ts'
import { getCertificate, getIssuer, setRevoked } from './queries.ts'
import { ByCode, ById, Certificate, FormatQuery, Revocation, Verification } from './schema.ts'
import { reissueCertificate } from './service.ts'
import { countVerification, tooManyCodes, verify } from './verification.ts'

/** A certificate, or the page of it. */
const asked = {
  description: 'The certificate',
  content: {
    'application/json': { schema: envelope(Certificate) },
    'application/pdf': { schema: Type.Unsafe<Buffer>({ examples: ['The bytes of the PDF'] }) },
  },
}

export function certificateRoutes(api: Api, deps: AreaDeps): void {
  const printer = startCertificatePrinter()
  api.addHook('onClose', () => printer.close())
  getCertificateRoute(api, deps, printer)
  verifyCertificateRoute(api, deps)
  revokeCertificateRoute(api)
  reissueCertificateRoute(api)
}

function getCertificateRoute(api: Api, deps: AreaDeps, printer: CertificatePrinter): void {
  api.get(
    '/lms/certificates/:id',
    {
      config: {
        access: { secret: 'read:learning', user: 'self' },
        errors: [nameRequired, nameNotPrintable],
      },
      schema: {
        operationId: 'getCertificate',
        summary: 'Get a certificate',
        description:
          'A member gets own certificates only. `format=pdf` answers a PDF of one page in the language of the project: the name, the course, the date, the name of the project, the code, and the address to verify it with its QR code. Emoji are left out. A certificate without a name, or with characters that no font has, has no PDF: the answer is 422.',
        params: ById,
        querystring: FormatQuery,
        response: { 200: asked },
      },
    },
    async (request, reply) => {
      const { id } = request.params
      const { certificate, issuer } = await request.read({
        certificate: getCertificate({ id, ...credentialOf(request) }),
        issuer: getIssuer(),
      })
      if (request.query.format === 'json') return certificate
      const { projectId, actor } = callerOf(request)
      const caller = ('id' in actor ? actor.id : undefined) ?? actor.kind
      const page = pageOf(certificate, issuer, deps.config.BASE_URL)
      const draw = async () => printed(await printer.run(page, { projectId, caller }))
      const pdf = await keptPage(request, deps, { id, page }, draw)
      reply.headers({
        'content-type': 'application/pdf',
        'content-disposition': `attachment; filename="${certificate.id}.pdf"`,
        'cache-control': 'private, no-store',
      })
      return reply.send(pdf)
    },
  )
}

function verifyCertificateRoute(api: Api, deps: AreaDeps): void {
  api.get(
    '/lms/certificates/verify/:code',
    {
      config: {
        access: 'open',
        errors: [tooManyCodes],
      },
      schema: {
        operationId: 'verifyCertificate',
        summary: 'Verify a certificate',
        description:
          'Everybody who knows the code can verify the certificate. Every other code answers 404. The number of codes that one address can try in a minute is limited.',
        params: ByCode,
        response: { 200: envelope(Verification) },
      },
    },
    async (request, reply) => {
      await countVerification(deps, request, reply)
      const found = await verify(deps, request.params.code)
      if (!found) throw notFound('Certificate')
      return found.verification
    },
  )
}

function revokeCertificateRoute(api: Api): void {
  api.post(
    '/lms/certificates/:id/revoke',
    {
      config: { oneTransaction: true, access: { secret: 'write:learning' } },
      schema: {
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
      const { id } = request.params
      const { reason = null } = request.body
      return request.write(async (ctx) => {
        const before = await getCertificate(ctx, { id, ...KEY })
        const revoked = await setRevoked(ctx, { id, reason })
        if (revoked === undefined) return before
        emit(ctx, certificateRevoked, revoked)
        enqueue(ctx, removeKeptPages, { certificate_id: id })
        return revoked
      })
    },
  )
}

function reissueCertificateRoute(api: Api): void {
  api.post(
    '/lms/certificates/:id/reissue',
    {
      config: {
        oneTransaction: true,
        access: { secret: 'write:learning' },
        errors: [certificateIsRevoked, nameRequired],
      },
      schema: {
        operationId: 'reissueCertificate',
        repeatCosts: true,
        summary: 'Reissue a certificate',
        description:
          'Use it after the name of a member has changed. The new certificate has the new name, the same date, and a code of its own. The old one names it in `replaced_by`, and is then shown as replaced when somebody verifies it. If the member already has a certificate with this name for the course, the answer is that certificate.',
        params: ById,
        response: { 200: envelope(Certificate) },
      },
    },
    async (request) => {
      const { id } = request.params
      return request.write((ctx) => reissueCertificate(ctx, id))
    },
  )
}
