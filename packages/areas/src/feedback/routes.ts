import { postRefused } from '#areas/moderation/errors.ts'
import { mutedBy } from '#areas/moderation/service.ts'
import { ADDED_TO_POSTS } from '#areas/profiles/schema.ts'
import { showingPosts } from '#areas/profiles/service.ts'
import type { AreaDeps } from '#platform/deps.ts'
import { actingMember, whoMayAct } from '#platform/http/acting-member.ts'
import type { Api } from '#platform/http/api.ts'
import { Deleted, deleted, envelope, envelopeOf, listEnvelope } from '#platform/http/envelope.ts'
import { assertUnchanged, taggedAs } from '#platform/http/etag.ts'
import { fieldsSender } from '#platform/http/fields.ts'
import { included } from '#platform/http/include.ts'
import { mapPage } from '#platform/http/page.ts'
import { viewerOf } from '#platform/http/viewer.ts'
import { assertSeeks } from '#platform/search/search.ts'
import { bulkRoutes } from './bulk-routes.ts'
import { commentRoutes } from './comments/routes.ts'
import { feedbackId } from './ids.ts'
import { changeItem, getItem, listItems, votesOf } from './queries.ts'
import { toItem } from './rows.ts'
import {
  ById,
  CreationQuery,
  Feedback,
  FeedbackChanges,
  FeedbackItem,
  ListQuery,
  NewFeedback,
  WithIncludes,
} from './schema.ts'
import { createFeedback, deleteFeedback, updateFeedback } from './service.ts'
import { similarRoutes } from './similar-routes.ts'
import { statusRoutes } from './status/routes.ts'
import { voteRoutes } from './votes/routes.ts'

const feedbackTag = changeItem.tag
const sendList = fieldsSender(listEnvelope(FeedbackItem), { added: ADDED_TO_POSTS })
const read = { access: { secret: 'read:community', public: 'catalog', user: 'self' } } as const
const write = { access: { secret: 'write:community', user: 'self' } } as const

export function feedbackRoutes(api: Api, deps: AreaDeps): void {
  listFeedbackRoute(api, deps)
  createFeedbackRoute(api, deps)
  similarRoutes(api, deps)
  getFeedbackRoute(api, deps)
  updateFeedbackRoute(api, deps)
  deleteFeedbackRoute(api)
  voteRoutes(api, deps)
  statusRoutes(api, deps)
  bulkRoutes(api)
  commentRoutes(api, deps)
}

function listFeedbackRoute(api: Api, deps: AreaDeps): void {
  const people = showingPosts(deps.config)

  api.get(
    '/feedback',
    {
      config: read,
      schema: {
        operationId: 'listFeedback',
        summary: 'List feedback',
        description:
          'Without `status` the list leaves out duplicates. Their votes count for the item that they duplicate. Members and public keys get public items only.',
        querystring: ListQuery,
        response: { 200: listEnvelope(FeedbackItem) },
      },
    },
    async (request, reply) => {
      assertSeeks('search', request.query.search)
      const { viewer } = await request.read({ viewer: viewerOf(request) })
      const { page } = await request.read({ page: listItems({ ...request.query, viewer }) })
      const { voted, muted } = await request.read({
        voted: votesOf({ rows: page.rows, viewer }),
        muted: mutedBy({ viewer, authors: page.rows.map(({ author_id }) => author_id) }),
      })
      const body = mapPage(page, (row) => toItem({ ...row, voted: voted.has(row.id) }, viewer, muted))
      return sendList(reply, request.query, await people.show(request, body))
    },
  )
}

function createFeedbackRoute(api: Api, { config }: AreaDeps): void {
  const people = showingPosts(config)

  api.post(
    '/feedback',
    {
      config: {
        oneTransaction: true,
        access: { secret: 'write:community', public: 'submit', user: 'self' },
        actingMember: 'body',
        etag: feedbackTag,
        errors: [postRefused],
      },
      schema: {
        operationId: 'createFeedback',
        summary: 'Create an item of feedback',
        description:
          'The sender is the member of the token. With a secret key it is the member in `user_id`. The vote of the sender is counted at once. A public key cannot name a member. Bugs are private unless `visibility` is sent. If a moderation rule holds a public item, the answer has the `moderation_status` `pending`: its sender and the team see it, and its votes and notifications begin when it is approved.',
        querystring: CreationQuery,
        body: NewFeedback,
        response: { 201: envelopeOf({ feedback: Feedback }) },
      },
    },
    async (request) => {
      const { user_id, ...input } = request.body
      const who = whoMayAct(request, { field: 'user_id', id: user_id })
      const isAsked = included(request.query.include).has('title')
      return request.write(async (ctx) => {
        const author = await actingMember(ctx, who)
        const created = await createFeedback(ctx, input, author)
        const { title, ...feedback } = await people.showIn(ctx, request, created)
        return {
          feedback: taggedAs(created, isAsked && title !== undefined ? { title, ...feedback } : feedback),
        }
      })
    },
  )
}

function getFeedbackRoute(api: Api, deps: AreaDeps): void {
  const people = showingPosts(deps.config)

  api.get(
    '/feedback/:id',
    {
      config: { ...read, etag: feedbackTag },
      schema: {
        operationId: 'getFeedback',
        summary: 'Get an item of feedback',
        description:
          'Secret keys, moderators and the sender can read a private item. Everybody else gets 404.',
        params: ById,
        querystring: WithIncludes,
        response: { 200: envelope(FeedbackItem) },
      },
    },
    async (request) => {
      const { id } = request.params
      const { viewer } = await request.read({ viewer: viewerOf(request) })
      const { item } = await request.read({ item: getItem({ id, viewer }) })
      return people.show(request, item)
    },
  )
}

function updateFeedbackRoute(api: Api, { config }: AreaDeps): void {
  const people = showingPosts(config)

  api.patch(
    '/feedback/:id',
    {
      config: { ...write, etag: feedbackTag, errors: [postRefused] },
      schema: {
        operationId: 'updateFeedback',
        summary: 'Change an item of feedback',
        description:
          'The sender can change the title and the message. Secret keys and moderators can change everything. Only the fields that are sent change.',
        params: ById,
        querystring: WithIncludes,
        body: FeedbackChanges,
        response: { 200: envelope(FeedbackItem) },
      },
    },
    async (request) => {
      const { id } = request.params
      const { body: changes, ifMatch } = request
      return request.write(async (ctx) => {
        const viewer = await viewerOf(ctx, request)
        return people.showIn(ctx, request, await updateFeedback(ctx, { id, viewer, changes, ifMatch }))
      })
    },
  )
}

function deleteFeedbackRoute(api: Api): void {
  api.delete(
    '/feedback/:id',
    {
      config: { ...write, etag: feedbackTag },
      schema: {
        operationId: 'deleteFeedback',
        summary: 'Delete an item of feedback',
        description:
          'Only for secret keys and moderators. The votes and comments of the item are deleted too. Items that were merged into it become separate items again.',
        params: ById,
        response: { 200: Deleted },
      },
    },
    async (request) => {
      const { id } = request.params
      await request.write(async (ctx) => {
        const viewer = await viewerOf(ctx, request)
        await assertUnchanged(ctx, request, { id, viewer }, getItem)
        await deleteFeedback(ctx, id, viewer)
      })
      return deleted(feedbackId, id)
    },
  )
}
