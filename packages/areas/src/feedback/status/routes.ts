import { Type } from 'typebox'
import type { AnswerOf } from '#platform/db/query.ts'
import type { Api } from '#platform/http/api.ts'
import { envelope, listEnvelope, ok, strict } from '#platform/http/envelope.ts'
import { listed, pageParameters } from '#platform/http/page.ts'
import { idFromPath, toId } from '#platform/ids.ts'
import { assertTeam, asVisitor } from '../access.ts'
import { feedbackIsDuplicate } from '../errors.ts'
import { feedbackId } from '../ids.ts'
import { getItem } from '../queries.ts'
import { toItem } from '../rows.ts'
import { ById, type FeedbackItem, FeedbackItem as Item } from '../schema.ts'
import { listChangelog, listChanges, readRoadmap } from './queries.ts'
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

const tags = ['Feedback']
const publicRead = { access: { secret: 'read:community', public: 'catalog', user: 'self' } } as const

export function statusRoutes(api: Api): void {
  api.post(
    '/feedback/:id/status',
    {
      config: {
        oneTransaction: true,
        access: { secret: 'write:community', user: 'self' },
        errors: [feedbackIsDuplicate],
      },
      schema: {
        tags,
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
      const id = idFromPath(feedbackId, request.params.id)
      const item = await request.inProject((ctx) =>
        asVisitor(ctx, request, (visitor) => sayStatus(ctx, id, request.body, visitor)),
      )
      return ok(item)
    },
  )

  api.get(
    '/feedback/:id/status-changes',
    {
      config: { access: { secret: 'read:community', user: 'self' } },
      schema: {
        tags,
        operationId: 'listFeedbackStatusChanges',
        summary: 'List status changes of an item',
        description: 'Only for secret keys and moderators. The newest change comes first.',
        params: ById,
        querystring: strict(pageParameters),
        response: { 200: listEnvelope(FeedbackStatusChange) },
      },
    },
    async (request) => {
      const id = idFromPath(feedbackId, request.params.id)
      const page = await request.inProject((ctx) =>
        asVisitor(ctx, request, async (visitor) => {
          await getItem(ctx, id, visitor)
          assertTeam(visitor)
          return listChanges(ctx, { ...request.query, feedbackId: id })
        }),
      )
      return listed(page, toChange)
    },
  )

  api.get(
    '/roadmap',
    {
      config: { ...publicRead, reads: 'replica' },
      schema: {
        tags,
        operationId: 'getRoadmap',
        summary: 'Get the roadmap',
        description:
          'The roadmap shows public items that are planned, in progress or done, most votes first. `GET /feedback?status=…` lists all items with one status.',
        querystring: RoadmapQuery,
        response: { 200: envelope(Type.Array(RoadmapColumn)) },
      },
    },
    async (request) => {
      const columns = await request.inProject((ctx) =>
        asVisitor(ctx, request, (visitor) =>
          readRoadmap(ctx, visitor, request.query).map(({ items, totals }) => {
            const shown = items.map((row): FeedbackItem => toItem(row, visitor))
            return ROADMAP_STATUSES.map((status) => ({
              status,
              total: totals.find(({ state }) => state === status)?.total ?? 0,
              items: shown.filter((item) => item.status === status),
            }))
          }),
        ),
      )
      return ok(columns)
    },
  )

  api.get(
    '/changelog',
    {
      config: publicRead,
      schema: {
        tags,
        operationId: 'getChangelog',
        summary: 'Get the changelog',
        description:
          'The changelog shows public items that are done, newest first, each with the note that was sent with `done`.',
        querystring: ChangelogQuery,
        response: { 200: listEnvelope(ChangelogEntry) },
      },
    },
    async (request) => {
      const page = await request.inProject((ctx) =>
        asVisitor(ctx, request, () => listChangelog(ctx, request.query)),
      )
      return listed(page, toEntry)
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
