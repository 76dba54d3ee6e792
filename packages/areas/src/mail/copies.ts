import { defineQuery } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import type { ProjectData } from '#platform/db/tenant.ts'
import type { AreaDeps } from '#platform/deps.ts'
import { ApiError, notFound } from '#platform/errors.ts'
import { renderMail } from '#platform/mail/render-mail.ts'
import { OPERATORS_PROJECT } from '#platform/operators/operators-project.ts'
import { makeProjectBox, type ProjectBox } from '#platform/secrets/project-box.ts'
import { SEALED_FOR } from './deliver-mail.job.ts'
import { operatorTokenRequired } from './errors.ts'
import { findMailToSend, getMail } from './queries.ts'
import type { MailInFull } from './schema.ts'
import { makeSendMail } from './service.ts'
import { lookOf, textsOf } from './settings/look.ts'

const addressOf = defineQuery('address_of_operator', (v: { id: string }) =>
  query.selectFrom('members').select(['email', 'full_name']).where('id', '=', v.id),
).one('Operator')

const CODE = '000000'
/** Names of values that let somebody in. */
const SECRETS = /code|token|secret|password/i
const URLS = /https?:\/\/[^\s"'<>)\]]+/gi

/**
 * Values of a mail of which nothing works: every code is zeros, and every address leads to the installation.
 * @param harmless an address without a path
 */
export function withoutSecrets(values: object, harmless: string): Record<string, unknown> {
  // Lists and objects inside the values have links too.
  return JSON.parse(JSON.stringify(values), (name, value: unknown) => {
    if (typeof value !== 'string') return value
    return SECRETS.test(name) ? CODE : value.replaceAll(URLS, harmless)
  })
}

/**
 * The values of a mail that waits; undefined where it was sent, or where they were sealed with a key that is gone.
 * @throws ApiError 503 where this process does not know the key yet
 */
function ownValues(box: ProjectBox, { id, sealed_values: sealed }: Sealed): object | undefined {
  if (sealed === null) return undefined
  try {
    return JSON.parse(box.open(sealed, id)) as object
  } catch (error) {
    if (error instanceof ApiError) throw error
    return undefined
  }
}

interface Sealed {
  readonly id: string
  readonly sealed_values: Buffer | null
}

/** Reads mails as they look, with values of which nothing works; once per process. */
export function makeReadMail({ catalogue, config }: Pick<AreaDeps, 'catalogue' | 'config'>) {
  const box = makeProjectBox(config, SEALED_FOR)
  const { origin } = new URL(config.BASE_URL)
  /** @param id the stored id of the mail @throws ApiError 404 */
  return async (data: Pick<ProjectData, 'read'>, id: string): Promise<MailInFull> => {
    const { shown, mail } = await data.read({ shown: getMail({ id }), mail: findMailToSend({ id }) })
    const type = mail && catalogue.mails.get(mail.mail)
    if (mail === undefined || type === undefined) throw notFound('Mail')
    const own = ownValues(box, mail)
    const values = own ?? type.example
    const look = lookOf(mail.project_name ?? '', mail)
    const common = { project: look.senderName, address: mail.to_address }
    const rendered = renderMail(textsOf(type, mail), look, { ...withoutSecrets(values, origin), ...common })
    return { ...shown, ...rendered, has_own_values: own !== undefined }
  }
}

/** Sends copies of mails to operators; once per process. */
export function makeSendCopy({
  catalogue,
  config,
  asSystem,
}: Pick<AreaDeps, 'catalogue' | 'config' | 'asSystem'>) {
  const box = makeProjectBox(config, SEALED_FOR)
  const sendMail = makeSendMail(config)
  const { origin } = new URL(config.BASE_URL)
  /**
   * Sends a mail again, to an operator, with links and codes that do not work. Of a mail that was sent the values are gone: the
   * copy has those of the example.
   * @returns the stored id of the copy, and its address
   * @param operatorId undefined for a key
   * @throws ApiError 404; 422 for a key
   */
  return async (
    data: ProjectData,
    id: string,
    operatorId: string | undefined,
  ): Promise<{ id: string; to: string }> => {
    const { mail } = await data.read({ mail: findMailToSend({ id }) })
    const type = mail && catalogue.mails.get(mail.mail)
    if (mail === undefined || type === undefined) throw notFound('Mail')
    if (operatorId === undefined) throw operatorTokenRequired()
    const console = asSystem(OPERATORS_PROJECT, 'mail.send-copy')
    const { operator } = await console.read({ operator: addressOf({ id: operatorId }) })
    const values = ownValues(box, mail) ?? type.example
    const to = { address: operator.email, name: operator.full_name }
    const copy = await data.write((ctx) =>
      sendMail(ctx, type, { to, values: withoutSecrets(values, origin) }),
    )
    return { id: copy, to: operator.email }
  }
}
