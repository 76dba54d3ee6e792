import { showingPosts } from '#areas/profiles/service.ts'
import { mapAnswer } from '#platform/db/query.ts'
import type { AreaDeps } from '#platform/deps.ts'
import { invalidParameters } from '#platform/errors.ts'
import { actingMember, whoActs } from '#platform/http/acting-member.ts'
import type { Api } from '#platform/http/api.ts'
import { envelope, listEnvelope } from '#platform/http/envelope.ts'
import { mapPage } from '#platform/http/page.ts'
import { viewerAs, viewerOf } from '#platform/http/viewer.ts'
import { toId } from '#platform/ids.ts'
import { beginningOf } from '#platform/markdown/mentions.ts'
import { assertModerates, type Status } from '../access/access.ts'
import { caseDecided } from '../errors.ts'
import { appealId } from '../ids.ts'
import { decideAs, decideInBulk } from './bulk.ts'
import { listAppealed, listCases } from './queries.ts'
import {
  BulkDecided,
  BulkDecisions,
  ByCase,
  Case,
  Decision,
  NewReport,
  QueuedCase,
  QueueQuery,
  Removal,
  Report,
} from './schema.ts'
import { Moderated, report } from './service.ts'

const tags = ['Moderation']
const write = { access: { secret: 'write:community', user: 'self' } } as const
const deciding = { ...write, errors: [caseDecided] } as const
const FINAL =
  'The first decision is final, unless the author appeals a removal. The same decision again answers the first one. The other decision is refused; `reason` is then the decision that stands.'

export function moderationRoutes(api: Api, deps: AreaDeps): void {
  const moderated = new Moderated(deps.catalogue.moderated)
  reportRoute(api, moderated)
  listModerationQueueRoute(api, deps, moderated)
  approvePostRoute(api, moderated)
  removePostRoute(api, moderated)
  decideInBulkRoute(api, moderated)
}

function reportRoute(api: Api, moderated: Moderated): void {
  api.post(
    '/reports',
    {
      config: { oneTransaction: true, ...write, actingMember: 'header' },
      schema: {
        tags,
        operationId: 'report',
        summary: 'Report a discussion, an item of feedback or a comment',
        description:
          'Each post has at most one open case. A report weighs 1, more if earlier reports of the member were right (below 2), and less if they were wrong. If the reports of a post weigh enough together, it is hidden until a moderator decides: 3, unless the project sets another number. A second report of the same member changes nothing. Two reports are kept for the moderators but do not count: one by the author of the post, and one by a member who had reported the post before a moderator approved it.',
        body: NewReport,
        response: { 201: envelope(Report) },
      },
    },
    async (request) => {
      const who = whoActs(request)
      return request.write(async (ctx) => {
        const member = await actingMember(ctx, who)
        return report(ctx, request.body, { viewer: viewerAs(ctx.actor, member), member, moderated })
      })
    },
  )
}

function listModerationQueueRoute(api: Api, { config }: AreaDeps, moderated: Moderated): void {
  const people = showingPosts(config)

  api.get(
    '/moderation/queue',
    {
      config: { access: { secret: 'read:community', user: 'self' } },
      schema: {
        tags,
        operationId: 'listModerationQueue',
        summary: 'List the posts that wait for a moderator',
        description:
          'Only for moderators. Without `order`, open and appealed cases are sorted oldest first, decided cases newest first.',
        querystring: QueueQuery,
        response: { 200: listEnvelope(QueuedCase) },
      },
    },
    async (request) => {
      const { query } = request
      const { page } = await request.read({
        isModerator: mapAnswer(viewerOf(request), assertModerates),
        page: listQueue(query),
      })
      const body = mapPage(page, (row) => ({
        ...moderated.toCase(row),
        title: row.title ?? beginningOf(row.content, 200),
        content: row.content,
        content_html: row.content_html ?? htmlOf(row.content),
        author_id: row.author_id === null ? null : toId('member', row.author_id),
        status: row.status as Status,
        hook_note: row.hook_note,
        attachments: row.attachments.map((file) => toId('file', file)),
        appeal: row.appeal && { ...row.appeal, id: toId(appealId, row.appeal.id) },
        reports: row.reported.map((each) => ({ ...each, member_id: toId('member', each.member_id) })),
      }))
      return people.show(request, body)
    },
  )
}

/** The message of an item, which is plain text, as HTML. */
const htmlOf = (message: string): string =>
  `<p>${message.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('\n', '<br>\n')}</p>\n`

/** @throws ApiError 400 where others than open cases are to be sorted by weight */
function listQueue({ status, sort, order, ...query }: QueueQuery) {
  if (sort === 'weight' && status !== 'open')
    throw invalidParameters([
      { field: 'sort', rule: 'status', message: 'weight is only for the status open: leave sort out' },
    ])
  if (status === 'appealed') return listAppealed({ ...query, order })
  const byDefault = status === 'open' && sort === 'age' ? 'asc' : 'desc'
  return listCases({ ...query, status, sort, order: order ?? byDefault })
}

function approvePostRoute(api: Api, moderated: Moderated): void {
  api.post(
    '/moderation/:id/approve',
    {
      config: deciding,
      schema: {
        tags,
        operationId: 'approvePost',
        summary: 'Show a reported or held post',
        description: FINAL,
        params: ByCase,
        body: Decision,
        response: { 200: envelope(Case) },
      },
    },
    async (request) =>
      decideAs(request, request.params.id, { decision: 'approved', reason: request.body.reason, moderated }),
  )
}

function removePostRoute(api: Api, moderated: Moderated): void {
  api.post(
    '/moderation/:id/remove',
    {
      config: deciding,
      schema: {
        tags,
        operationId: 'removePost',
        summary: 'Remove a reported or held post',
        description: FINAL,
        params: ByCase,
        body: Removal,
        response: { 200: envelope(Case) },
      },
    },
    async (request) =>
      decideAs(request, request.params.id, { decision: 'removed', reason: request.body.reason, moderated }),
  )
}

function decideInBulkRoute(api: Api, moderated: Moderated): void {
  api.post(
    '/moderation/bulk',
    {
      config: { ...write },
      schema: {
        tags,
        operationId: 'decideInBulk',
        summary: 'Decide many cases of the queue',
        description: `Only for moderators. Up to 100 cases are decided one after the other, each as by its own request. Each succeeds or fails on its own, and the answer has a result for each. ${FINAL}`,
        body: BulkDecisions,
        response: { 200: envelope(BulkDecided) },
      },
    },
    async (request) => {
      await request.read({ isModerator: mapAnswer(viewerOf(request), assertModerates) })
      return decideInBulk(request, request.body.operations, moderated)
    },
  )
}
