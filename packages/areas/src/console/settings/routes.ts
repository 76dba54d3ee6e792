import { tenantOf } from '#areas/projects/service.ts'
import type { Context } from '#platform/db/tenant.ts'
import type { AreaDeps } from '#platform/deps.ts'
import type { Api } from '#platform/http/api.ts'
import { envelope } from '#platform/http/envelope.ts'
import { assertMatches, type ResourceTag } from '#platform/http/etag.ts'
import { consoleProjectOf, operatorOf } from '#platform/http/server/console-request.ts'
import { toId } from '#platform/ids.ts'
import { openSide } from '../service.ts'
import { BySide, ProjectSettings, ProjectSettingsChanges } from './schema.ts'
import { changeSideSettings, readSideSettings, type SideChanges, type SideSettings } from './service.ts'

const tags = ['Settings']
/** Without a lock of its own: `changeSideSettings` takes that of the settings first. */
const settingsTag: ResourceTag = { fields: Object.keys(ProjectSettingsChanges.properties) }

/** How one side of a project works. */
export function settingsRoutes(api: Api, deps: AreaDeps): void {
  getProjectSettingsRoute(api, deps)
  updateProjectSettingsRoute(api, deps)
}

/** The settings without limits, which administrators of the installation set. */
function shown(settings: SideSettings): ProjectSettings {
  const { allowed_redirect_urls, allowed_origins, rate_limit: _, own_limits: __, ...others } = settings
  return {
    ...others,
    moderator_roles: [...others.moderator_roles],
    profile_fields: [...others.profile_fields],
    retry_days: [...others.retry_days],
    member_may: [...others.member_may],
    redirect_urls: [...allowed_redirect_urls],
    origins: [...allowed_origins],
  }
}

/** Null stands for no address, as an empty one does for the command. */
const urlIn = (url: string | null | undefined): string | undefined => (url === null ? '' : url)

const changesIn = (body: ProjectSettingsChanges): SideChanges => ({
  emailConfirmation: body.email_confirmation,
  redirectUrls: body.redirect_urls,
  origins: body.origins,
  moderatorRoles: body.moderator_roles,
  timezone: body.timezone,
  language: body.language,
  analyticsRetentionMonths: body.analytics_retention_months,
  respectDoNotTrack: body.respect_do_not_track,
  reportThreshold: body.report_threshold,
  discussionUrl: urlIn(body.discussion_url),
  feedbackUrl: urlIn(body.feedback_url),
  profilesPublic: body.profiles_public,
  displayNameFrom: body.display_name_from,
  profileFields: body.profile_fields,
  certificateUrl: urlIn(body.certificate_url),
  billingUrl: urlIn(body.billing_url),
  renewalNoticeDays: body.renewal_notice_days,
  retryDays: body.retry_days,
  memberMay: body.member_may,
  onLostDispute: body.on_lost_dispute,
})

function getProjectSettingsRoute(api: Api, deps: AreaDeps): void {
  api.get(
    '/projects/:id/settings/:environment',
    {
      config: { access: { operator: 'viewer' }, etag: settingsTag },
      schema: {
        tags,
        operationId: 'getProjectSettings',
        summary: 'Get the settings of one side',
        description:
          'A setting that nobody has set has its default. Limits are with `PATCH /projects/{id}/limits`.',
        params: BySide,
        response: { 200: envelope(ProjectSettings) },
      },
    },
    async (request) => {
      const side = await openSide(request, deps, request.params.environment)
      return shown(await side.write(readSideSettings))
    },
  )
}

function updateProjectSettingsRoute(api: Api, { operators }: AreaDeps): void {
  api.patch(
    '/projects/:id/settings/:environment',
    {
      config: { access: { operator: 'admin' }, etag: settingsTag },
      schema: {
        tags,
        operationId: 'updateProjectSettings',
        summary: 'Change the settings of one side',
        description:
          'Only what is given changes, and all of it or nothing. The audit log has it before and after.',
        params: BySide,
        body: ProjectSettingsChanges,
        response: { 200: envelope(ProjectSettings) },
      },
    },
    async (request) => {
      const { id } = consoleProjectOf(request)
      const side = await tenantOf(operators, toId('project', id), request.params.environment)
      const mayChange = (ctx: Context, before: SideSettings) =>
        assertMatches(ctx, settingsTag, request.ifMatch, side, async () => shown(before))
      const changes = changesIn(request.body)
      return shown(await changeSideSettings(operators, side, changes, operatorOf(request), mayChange))
    },
  )
}
