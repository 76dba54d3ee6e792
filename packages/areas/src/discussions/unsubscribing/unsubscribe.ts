import type { Config } from '#platform/config.ts'
import type { AreaDeps } from '#platform/deps.ts'
import type { Api } from '#platform/http/api.ts'
import { getSite } from '#platform/http/project-site.ts'
import { unsubscribePages } from '#platform/http/unsubscribe-pages.ts'
import { makeUnsubscribeLinks, type UnsubscribeLinks } from '#platform/mail/unsubscribe-links.ts'
import { setSubscription } from '../threads/marks.ts'
import { findSubscribed } from './queries.ts'

const path = '/unsubscribe'

/** Links that end the mails of one discussion to one member: project, discussion, member. */
export const discussionLinks = (config: Config): UnsubscribeLinks =>
  makeUnsubscribeLinks(config, { purpose: 'unsubscribe from discussions', path, ids: 3 })

/** The pages of these links. */
export function discussionUnsubscribePages(pages: Api, deps: AreaDeps): void {
  const data = (projectId: string) => deps.asSystem(projectId, 'discussions.unsubscribe')
  const markOf = ([projectId = '', discussion_id = '', member_id = '']: readonly string[]) => ({
    projectId,
    mark: { discussion_id, member_id },
  })
  unsubscribePages(pages, deps, {
    path,
    links: discussionLinks(deps.config),
    find: async (ids) => {
      const { projectId, mark } = markOf(ids)
      const { found, site } = await data(projectId).read({ found: findSubscribed(mark), site: getSite() })
      return {
        site,
        isOver: found === undefined || found.subscription === 'off',
        // A discussion that can be seen no more is not named.
        what: found?.title == null ? 'this discussion' : `“${found.title}”`,
      }
    },
    end: (ids) => {
      const { projectId, mark } = markOf(ids)
      return data(projectId).write(setSubscription({ ...mark, subscription: 'off' }))
    },
  })
}
