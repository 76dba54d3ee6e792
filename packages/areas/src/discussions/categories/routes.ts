import type { Context } from '#platform/db/tenant.ts'
import { actingMember } from '#platform/http/acting-member.ts'
import type { Api } from '#platform/http/api.ts'
import { Deleted, deleted, envelope, listEnvelope, ok, strict } from '#platform/http/envelope.ts'
import { defineTag, ifUnchanged } from '#platform/http/etag.ts'
import { listed, pageParameters } from '#platform/http/page.ts'
import { callerOf } from '#platform/http/server/authenticate.ts'
import { idFromPath } from '#platform/ids.ts'
import { viewerOf, whoReads } from '../access/viewer.ts'
import { categoryInUse, slugTaken } from '../errors.ts'
import { categoryId } from '../ids.ts'
import { getCategory, listCategories } from './queries.ts'
import { ByCategory, Category, CategoryChanges, NewCategory } from './schema.ts'
import { createCategory, deleteCategory, toCategory, updateCategory } from './service.ts'

const tags = ['Discussions']
const read = { access: { secret: 'read:community', public: 'catalog', user: 'self' } } as const
const write = { access: { secret: 'write:community' } } as const

const categoryTag = defineTag('discussion_categories', CategoryChanges)
const current = (ctx: Context, id: string) => ({ id, read: () => getCategory(ctx, id) })

export function categoryRoutes(api: Api): void {
  api.get(
    '/discussion-categories',
    {
      config: read,
      schema: {
        tags,
        operationId: 'listDiscussionCategories',
        summary: 'List categories of discussions',
        description:
          'Categories are sorted by position. Everybody can list all categories, also those that require a plan, so that a page can show which plan opens a category.',
        querystring: strict(pageParameters),
        response: { 200: listEnvelope(Category) },
      },
    },
    async (request) => {
      const who = whoReads(request)
      const [page, member] = await request.inProject((ctx) =>
        listCategories(ctx, request.query).and(actingMember(ctx, who)),
      )
      const viewer = viewerOf(callerOf(request).actor, member)
      return listed(page, (row) => toCategory(row, viewer))
    },
  )

  api.post(
    '/discussion-categories',
    {
      config: { oneTransaction: true, ...write, etag: categoryTag, errors: [slugTaken] },
      schema: {
        tags,
        operationId: 'createDiscussionCategory',
        summary: 'Create a category of discussions',
        description: 'Without `slug`, the slug is made from the name.',
        body: NewCategory,
        response: { 201: envelope(Category) },
      },
    },
    async (request, reply) => {
      const category = await request.inProject((ctx) => createCategory(ctx, request.body))
      return reply.code(201).send(ok(category))
    },
  )

  api.get(
    '/discussion-categories/:id',
    {
      config: { ...read, etag: categoryTag },
      schema: {
        tags,
        operationId: 'getDiscussionCategory',
        summary: 'Get a category of discussions',
        params: ByCategory,
        response: { 200: envelope(Category) },
      },
    },
    async (request) => {
      const id = idFromPath(categoryId, request.params.id)
      const who = whoReads(request)
      const [row, member] = await request.inProject((ctx) => getCategory(ctx, id).and(actingMember(ctx, who)))
      return ok(toCategory(row, viewerOf(callerOf(request).actor, member)))
    },
  )

  api.patch(
    '/discussion-categories/:id',
    {
      config: { ...write, etag: categoryTag, errors: [slugTaken] },
      schema: {
        tags,
        operationId: 'updateDiscussionCategory',
        summary: 'Change a category of discussions',
        description: 'A change of the required plans applies at once to all discussions in the category.',
        params: ByCategory,
        body: CategoryChanges,
        response: { 200: envelope(Category) },
      },
    },
    async (request) => {
      const id = idFromPath(categoryId, request.params.id)
      return ok(
        await request.inProject((ctx) =>
          ifUnchanged(ctx, request, current(ctx, id), () => updateCategory(ctx, id, request.body)),
        ),
      )
    },
  )

  api.delete(
    '/discussion-categories/:id',
    {
      config: { ...write, etag: categoryTag, errors: [categoryInUse] },
      schema: {
        tags,
        operationId: 'deleteDiscussionCategory',
        summary: 'Delete a category of discussions',
        description:
          'A category can be deleted while it has no discussions, removed ones included. Move its discussions first.',
        params: ByCategory,
        response: { 200: Deleted },
      },
    },
    async (request) => {
      const id = idFromPath(categoryId, request.params.id)
      await request.inProject((ctx) =>
        ifUnchanged(ctx, request, current(ctx, id), () => deleteCategory(ctx, id)),
      )
      return deleted(request.params.id)
    },
  )
}
