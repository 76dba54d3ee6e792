import { includeAuthor } from '#areas/profiles/schema.ts'
import { showingPeople } from '#areas/profiles/service.ts'
import { auditOperator } from '#platform/audit.ts'
import type { AreaDeps } from '#platform/deps.ts'
import { notFound } from '#platform/errors.ts'
import { actingMember, whoActs } from '#platform/http/acting-member.ts'
import type { Api } from '#platform/http/api.ts'
import { envelope, listEnvelope, strict } from '#platform/http/envelope.ts'
import { pageParameters } from '#platform/http/page.ts'
import { viewerOf } from '#platform/http/viewer.ts'
import { toId } from '#platform/ids.ts'
import { teamOnly } from '../access.ts'
import { mergeCircle } from '../errors.ts'
import { feedbackId } from '../ids.ts'
import { changeItem, getItem } from '../queries.ts'
import { ById, FeedbackItem } from '../schema.ts'
import { mergeFeedback } from './merging.ts'
import { addVote, listVoters, readOutcome, removeVotes } from './queries.ts'
import { Merge, VoteOutcome, Voter } from './schema.ts'

const vote = {
  access: { secret: 'write:community', user: 'self' },
  actingMember: 'header',
} as const

export function voteRoutes(api: Api, deps: AreaDeps): void {
  voteForFeedbackRoutes(api)
  listVotersRoute(api, deps)
  mergeFeedbackRoute(api, deps)
}

function voteForFeedbackRoutes(api: Api): void {
  for (const method of ['PUT', 'DELETE'] as const)
    api.route({
      method,
      url: '/feedback/:id/vote',
      config: vote,
      schema: {
        operationId: method === 'PUT' ? 'voteForFeedback' : 'takeBackVote',
        sdk: method === 'PUT' ? 'feedback.vote' : 'feedback.unvote',
        summary: method === 'PUT' ? 'Vote for an item' : 'Remove a vote',
        description:
          method === 'PUT'
            ? 'A member has one vote for each item; a second vote changes nothing. The vote stays with this item, also after the item is merged into another one.'
            : 'A vote for an item that was merged into this one can be removed here too. If there is no vote, nothing changes.',
        params: ById,
        response: { 200: envelope(VoteOutcome) },
      },
      handler: async (request) => {
        const { id } = request.params as { id: string }
        const who = whoActs(request)
        return request.write(async (ctx) => {
          const viewer = await viewerOf(ctx, request)
          const item = getItem(ctx, { id, viewer })
          const member = actingMember(ctx, who)
          assertVotable(await item)
          const vote = { feedbackId: id, memberId: (await member).id }
          if (method === 'PUT') addVote(ctx, vote)
          else removeVotes(ctx, vote)
          const action = method === 'PUT' ? 'feedback.vote' : 'feedback.unvote'
          auditOperator(ctx, { action, target: toId(feedbackId, id) }, vote.memberId)
          return readOutcome(ctx, vote)
        })
      },
    })
}

/** Votes begin when an item is approved. @throws ApiError 404 */
function assertVotable({ moderation_status }: { moderation_status?: string }): void {
  if (moderation_status !== undefined) throw notFound('Feedback')
}

function listVotersRoute(api: Api, { config }: AreaDeps): void {
  const people = showingPeople(config)

  api.get(
    '/feedback/:id/voters',
    {
      config: { access: { secret: 'read:community', user: 'self' } },
      schema: {
        operationId: 'listVoters',
        summary: 'List the voters of an item',
        description:
          'Only for secret keys and moderators. Each member whose vote is counted is listed once. The earliest vote comes first.',
        params: ById,
        querystring: strict({ ...pageParameters, include: includeAuthor }),
        response: { 200: listEnvelope(Voter) },
      },
    },
    async (request) => {
      const { id } = request.params
      const { viewer } = await request.read({ viewer: viewerOf(request) })
      const voters = listVoters({ ...request.query, feedbackId: id })
      const answer = await request.read({ item: getItem({ id, viewer }), team: teamOnly(viewer), voters })
      return people.show(request, answer.voters)
    },
  )
}

function mergeFeedbackRoute(api: Api, { config }: AreaDeps): void {
  const people = showingPeople(config)

  api.post(
    '/feedback/:id/merge',
    {
      config: {
        oneTransaction: true,
        access: { secret: 'write:community', user: 'self' },
        etag: changeItem.tag,
        errors: [mergeCircle],
      },
      schema: {
        operationId: 'mergeFeedback',
        summary: 'Merge an item into another item, or undo a merge',
        description:
          'Only for secret keys and moderators. A duplicate keeps its votes, comments and status. Its votes also count for the other item; each voter counts once. `into: null` undoes the merge.',
        params: ById,
        body: Merge,
        response: { 200: envelope(FeedbackItem) },
      },
    },
    async (request) => {
      const { id } = request.params
      return request.write(async (ctx) => {
        const item = await mergeFeedback(ctx, id, request.body.into, await viewerOf(ctx, request))
        return people.showIn(ctx, request, item)
      })
    },
  )
}
