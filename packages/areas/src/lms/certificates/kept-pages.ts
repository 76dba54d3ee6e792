import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { AreaDeps } from '#platform/deps.ts'
import { callerOf } from '#platform/http/caller.ts'
import { KEY } from '#platform/http/viewer.ts'
import { defineJob } from '#platform/jobs/define-job.ts'
import type { CertificatePage } from './pdf/render-certificate.ts'
import { pageOf } from './print.ts'
import { getCertificate, getIssuer } from './queries.ts'

// A PDF is drawn once and kept in the storage, by what is on it. A changed certificate has another key, and its earlier
// PDF is removed.

/** To be raised with every change of how a page looks, so that those that are kept are drawn anew. */
const LOOK = 1

type Parts = Pick<AreaDeps, 'config' | 'log' | 'objects'>

const prefixOf = (projectId: string, id: string): string => `${projectId}/${id}/`

/** Where a page is kept. Its code has 80 random bits, so nobody who knows a name finds out the key. */
const keyOf = (projectId: string, id: string, page: CertificatePage): string =>
  prefixOf(projectId, id) +
  createHash('sha256')
    .update(JSON.stringify([LOOK, page]))
    .digest('hex')

/** The PDF of a page: the one that is kept, or a new one. @param draw makes it @throws whatever `draw` throws */
export async function keptPage(
  request: FastifyRequest,
  parts: Parts,
  { id, page }: { id: string; page: CertificatePage },
  draw: () => Promise<Buffer>,
): Promise<Buffer> {
  const { objects, log } = parts
  if (!objects.isSetUp) return draw()
  const key = keyOf(callerOf(request).projectId, id, page)
  // Without the storage, certificates are drawn each time.
  const complain = (err: unknown) => log.warn({ err }, 'the PDF of a certificate could not be kept')
  const kept = await readAll(objects, key).catch(complain)
  if (kept) return kept
  const pdf = await draw()
  await keep(request, parts, { id, key, pdf }).catch(complain)
  return pdf
}

async function readAll(objects: Parts['objects'], key: string): Promise<Buffer | undefined> {
  const object = await objects.get(key)
  return object && Buffer.concat(await object.body.toArray())
}

/** An erasure or a revocation in the meantime is either seen here, or removes this object. */
async function keep(
  request: FastifyRequest,
  { objects, config }: Parts,
  { id, key, pdf }: { id: string; key: string; pdf: Buffer },
): Promise<void> {
  const { projectId } = callerOf(request)
  await objects.put(
    key,
    (async function* () {
      yield pdf
    })(),
  )
  const { certificate, issuer } = await request.read({
    certificate: getCertificate({ id, ...KEY }),
    issuer: getIssuer(),
  })
  const now = keyOf(projectId, id, pageOf(certificate, issuer, config.BASE_URL))
  await objects.removeBelow(prefixOf(projectId, id), now === key ? [key] : [])
}

/** Removes what is kept of a certificate that has changed, or whose member is forgotten. */
export const removeKeptPages = defineJob({
  name: 'lms.remove-kept-pages',
  lane: 'files',
  payload: Type.Object({ certificate_id: Type.String({ format: 'uuid' }) }),
  // An outage of the storage may last for hours.
  attempts: 20,
  async run({ deps: { objects }, projectId }, { certificate_id: id }) {
    if (objects.isSetUp) await objects.removeBelow(prefixOf(projectId, id))
  },
})
