import { Type } from 'typebox'
import { folded, mutedBy } from '#areas/moderation/service.ts'
import { showingPosts } from '#areas/profiles/service.ts'
import type { AnswerOf } from '#platform/db/query.ts'
import type { AreaDeps } from '#platform/deps.ts'
import type { Api } from '#platform/http/api.ts'
import { envelope, listEnvelope, strict } from '#platform/http/envelope.ts'
import { mapPage, pageParameters } from '#platform/http/page.ts'
import { viewerOf } from '#platform/http/viewer.ts'
import { toId } from '#platform/ids.ts'
import { teamOnly } from '../access.ts'
import { feedbackIsDuplicate } from '../errors.ts'
import { feedbackId } from '../ids.ts'
import { changeItem, getItem } from '../queries.ts'
import { toItem } from '../rows.ts'
import { ById, FeedbackItem as Item } from '../schema.ts'
import { countRoadmap, listChangelog, listChanges, listRoadmap } from './queries.ts'
import {
  ChangelogEntry,
  ChangelogQuery,
  FeedbackStatusChange,
  NewStatus,
  ROADMAP_STATUSES,
  RoadmapColumn,
  RoadmapQuery,
} from './schema.ts'
import { sayStatus, toChange } from './setting.ts'

const publicRead = { access: { secret: 'read:community', public: 'catalog', user: 'self' } } as const

export function statusRoutes(api: Api, deps: AreaDeps): void {
  setFeedbackStatusRoute(api, deps)
  listFeedbackStatusChangesRoute(api)
  getRoadmapRoute(api, deps)
  getChangelogRoute(api, deps)
}

function setFeedbackStatusRoute(api: Api, { config }: AreaDeps): void {
  const people = showingPosts(config)

  api.post(
    '/feedback/:id/status',
    {
      config: {
        oneTransaction: true,
        access: { secret: 'write:community', user: 'self' },
        etag: changeItem.tag,
        errors: [feedbackIsDuplicate],
      },
      schema: {
        operationId: 'setFeedbackStatus',
        summary: 'Set the status of an item',
        description:
          'Only for secret keys and moderators. Every status can follow every other one; `duplicate` is set by merging only. The note belongs to the status: a new status that is sent without a note has none. The same status with another note replaces the note.',
        params: ById,
        body: NewStatus,
        response: { 200: envelope(Item) },
      },
    },
    async (request) => {
      const { id } = request.params
      return request.write(async (ctx) => {
        const item = await sayStatus(ctx, id, request.body, await viewerOf(ctx, request))
        return people.showIn(ctx, request, item)
      })
    },
  )
}

function listFeedbackStatusChangesRoute(api: Api): void {
  api.get(
    '/feedback/:id/status-changes',
    {
      config: { access: { secret: 'read:community', user: 'self' } },
      schema: {
        operationId: 'listFeedbackStatusChanges',
        summary: 'List status changes of an item',
        description: 'Only for secret keys and moderators. The newest change comes first.',
        params: ById,
        querystring: strict(pageParameters),
        response: { 200: listEnvelope(FeedbackStatusChange) },
      },
    },
    async (request) => {
      const { id } = request.params
      const { viewer } = await request.read({ viewer: viewerOf(request) })
      const changes = listChanges({ ...request.query, feedbackId: id })
      const answer = await request.read({ item: getItem({ id, viewer }), team: teamOnly(viewer), changes })
      return mapPage(answer.changes, toChange)
    },
  )
}

function getRoadmapRoute(api: Api, { config }: AreaDeps): void {
  const people = showingPosts(config)

  api.get(
    '/roadmap',
    {
      config: { ...publicRead, reads: 'replica' },
      schema: {
        operationId: 'getRoadmap',
        summary: 'Get the roadmap',
        description:
          'The roadmap shows public items that are planned, in progress or done, most votes first. `GET /feedback?status=…` lists all items with one status.',
        querystring: RoadmapQuery,
        response: { 200: envelope(Type.Array(RoadmapColumn)) },
      },
    },
    async (request) => {
      const { viewer } = await request.read({ viewer: viewerOf(request) })
      const { items, totals } = await request.read({
        items: listRoadmap({ ...request.query, viewer }),
        totals: countRoadmap(request.query),
      })
      const { muted } = await request.read({
        muted: mutedBy({ viewer, authors: items.map(({ author_id }) => author_id) }),
      })
      const columns = ROADMAP_STATUSES.map((status) => ({
        status,
        total: totals.find(({ state }) => state === status)?.total ?? 0,
        items: items.filter(({ state }) => state === status).map((row) => toItem(row, viewer, muted)),
      }))
      return people.show(request, columns)
    },
  )
}

function getChangelogRoute(api: Api, { config }: AreaDeps): void {
  const people = showingPosts(config)

  api.get(
    '/changelog',
    {
      config: publicRead,
      schema: {
        operationId: 'getChangelog',
        summary: 'Get the changelog',
        description:
          'The changelog shows public items that are done, newest first, each with the note that was sent with `done`.',
        querystring: ChangelogQuery,
        response: { 200: listEnvelope(ChangelogEntry) },
      },
    },
    async (request) => {
      const { viewer } = await request.read({ viewer: viewerOf(request) })
      const { page } = await request.read({ page: listChangelog(request.query) })
      const { muted } = await request.read({
        muted: mutedBy({ viewer, authors: page.rows.map(({ author_id }) => author_id) }),
      })
      const entries = mapPage(page, (row) =>
        row.author_id !== null && muted.includes(row.author_id) ? folded(toEntry(row)) : toEntry(row),
      )
      return people.show(request, entries)
    },
  )
}

type EntryRow = AnswerOf<typeof listChangelog>['rows'][number]

const toEntry = (row: EntryRow): ChangelogEntry => ({
  feedback_id: toId(feedbackId, row.id),
  type: row.type as ChangelogEntry['type'],
  ...(row.title !== null && { title: row.title }),
  message: row.message,
  note: row.status_note,
  vote_count: row.vote_count,
  done_at: row.status_changed_at,
})
