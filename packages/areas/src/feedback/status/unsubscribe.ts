import { sql } from 'kysely'
import type { Config } from '#platform/config.ts'
import { defineQuery } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import type { AreaDeps } from '#platform/deps.ts'
import type { Api } from '#platform/http/api.ts'
import { unsubscribePages } from '#platform/http/unsubscribe-pages.ts'
import { makeUnsubscribeLinks, type UnsubscribeLinks } from '#platform/mail/unsubscribe-links.ts'

const path = '/unsubscribe/feedback'

/** Links that end the mails about all items for which a member has voted: project, member. */
export const feedbackLinks = (config: Config): UnsubscribeLinks =>
  makeUnsubscribeLinks(config, { purpose: 'unsubscribe from feedback', path, ids: 2 })

const findVoter = defineQuery('feedback_voter', (v: { id: string }) =>
  query
    .selectFrom('members as m')
    .innerJoin('projects as p', 'p.id', 'm.project_id')
    .select('p.name as project')
    .where('m.id', '=', v.id)
    .where('m.deleted_at', 'is', null),
).first()

/** A vote that the member gives later is mailed about again. */
const muteVotes = defineQuery('mute_feedback_votes', (v: { id: string }) =>
  query
    .updateTable('feedback_votes')
    .set({ is_mailed: false })
    .where('member_id', '=', v.id)
    .where(sql<boolean>`is_mailed`),
)

/** The pages of these links. */
export function feedbackUnsubscribePages(pages: Api, deps: AreaDeps): void {
  const data = (projectId = '') => deps.asSystem(projectId, 'feedback.unsubscribe')
  unsubscribePages(pages, deps, {
    path,
    links: feedbackLinks(deps.config),
    find: async ([projectId, id = '']) => {
      const { found } = await data(projectId).read({ found: findVoter({ id }) })
      return {
        site: found === undefined ? undefined : { name: found.project, home: undefined },
        what: 'the ideas for which you have voted',
      }
    },
    end: ([projectId, id = '']) => data(projectId).write(muteVotes({ id })),
  })
}
