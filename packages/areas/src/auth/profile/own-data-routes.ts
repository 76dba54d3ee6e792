import { ExportData } from '#areas/exports/schema.ts'
import { toExportData } from '#areas/exports/service.ts'
import { deleteOwnAccount, MOST_ARCHIVES, requestOwnData } from '#areas/members/service.ts'
import type { AreaDeps } from '#platform/deps.ts'
import { invalidToken } from '#platform/errors.ts'
import type { Api } from '#platform/http/api.ts'
import { memberOf } from '#platform/http/caller.ts'
import { deleted, deletedOther, envelope } from '#platform/http/envelope.ts'
import { assertUnchanged } from '#platform/http/etag.ts'
import { MAIL_LANGUAGE } from '#platform/mail/define-mail.ts'
import { formatDate } from '#platform/values/date-text.ts'
import type { Identity } from '../identity.ts'
import { accountDeleted } from '../mails.ts'
import { getSettings, lockActiveMember } from '../member-queries.ts'
import { endSessions } from '../sessions/sessions.ts'
import { OWN_PROOF_ERRORS, OwnProof, PROOF_SENTENCE, withOwnProof } from './own-proof.ts'
import { ownMember, profileTag } from './routes.ts'

const self = { access: { user: 'self' } } as const

/** Routes by which members take their data with them, and leave. */
export function ownDataRoutes(api: Api, deps: AreaDeps, identity: Identity): void {
  deleteProfileRoute(api, identity)
  exportOwnDataRoute(api, deps, identity)
}

function deleteProfileRoute(api: Api, identity: Identity): void {
  api.delete(
    '/user/profile',
    {
      config: { membersAlone: true, ...self, etag: profileTag, errors: OWN_PROOF_ERRORS },
      schema: {
        tags: ['Profile'],
        operationId: 'deleteProfile',
        summary: 'Delete the member whose token this is',
        description: `${PROOF_SENTENCE} All sessions end at once, and the subscription ends without credit. The member gets a mail. For 30 days a key can restore the member with \`POST /members/{id}/restore\`, without the subscription; then the personal data is erased. Until then the address can be used for a new sign-up, and the member cannot be restored while somebody else has the address. A log-in with the right password answers \`ACCOUNT_DELETED\`. Orders stay, and an order that is being paid can still be paid.`,
        body: OwnProof,
        response: { 200: deletedOther('mem_01jcq3k8f7e8qtk4m3hbw7rn2d') },
      },
    },
    async (request, reply) => {
      const { memberId } = memberOf(request)
      await withOwnProof({ request, reply }, identity, request.body, async (ctx, prove) => {
        await assertUnchanged(ctx, request, { id: memberId }, ownMember)
        const left = await deleteOwnAccount(ctx, memberId, prove)
        await endSessions(ctx, memberId, 'logout')
        const { timezone: timeZone } = await getSettings(ctx)
        const date = formatDate(left.erased_at, { language: MAIL_LANGUAGE, timeZone })
        const to = { address: left.email, name: left.full_name, memberId }
        identity.sendMail(ctx, accountDeleted, { to, values: { date } })
      })
      return deleted('member', memberId)
    },
  )
}

function exportOwnDataRoute(api: Api, { objects }: AreaDeps, identity: Identity): void {
  api.post(
    '/user/data-export',
    {
      config: { membersAlone: true, ...self, errors: OWN_PROOF_ERRORS },
      schema: {
        tags: ['Profile'],
        operationId: 'exportOwnData',
        sdk: 'user.exportData',
        summary: 'Export all data of the member whose token this is',
        description: `${PROOF_SENTENCE} One ZIP archive is made in the background, as for \`POST /members/{id}/data-export\`. The member gets a mail with a link to it, which works for 24 hours. While an archive is made, and for a minute afterwards, the answer is that archive. A member can request ${MOST_ARCHIVES} archives within 24 hours.`,
        body: OwnProof,
        response: { 201: envelope(ExportData) },
      },
    },
    async (request, reply) => {
      const { memberId } = memberOf(request)
      const row = await withOwnProof({ request, reply }, identity, request.body, async (ctx, prove) => {
        if ((await lockActiveMember(ctx, { id: memberId })) === undefined) throw invalidToken('session_ended')
        await prove(ctx)
        return requestOwnData(ctx, memberId, objects)
      })
      return toExportData(row)
    },
  )
}
