import { audit } from '#platform/audit.ts'
import { limitReached } from '#platform/define-error.ts'
import type { Api } from '#platform/http/api.ts'
import { Deleted, deleted, envelope, listEnvelope, strict } from '#platform/http/envelope.ts'
import { assertUnchanged } from '#platform/http/etag.ts'
import { mapPage, pageParameters } from '#platform/http/page.ts'
import { KEY, viewerOf } from '#platform/http/viewer.ts'
import { toId } from '#platform/ids.ts'
import { categoryInUse, slugTaken } from '../errors.ts'
import { categoryId } from '../ids.ts'
import { changeCategory, deleteCategory, getCategory, listCategories, toCategory } from './queries.ts'
import { ByCategory, Category, CategoryChanges, NewCategory } from './schema.ts'
import { createCategory, updateCategory } from './service.ts'

const tags = ['Discussions']
const read = { access: { secret: 'read:community', public: 'catalog', user: 'self' } } as const
const write = { access: { secret: 'write:community' } } as const

const etag = changeCategory.tag

export function categoryRoutes(api: Api): void {
  listDiscussionCategoriesRoute(api)
  createDiscussionCategoryRoute(api)
  getDiscussionCategoryRoute(api)
  updateDiscussionCategoryRoute(api)
  deleteDiscussionCategoryRoute(api)
}

function listDiscussionCategoriesRoute(api: Api): void {
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
      const { page, viewer } = await request.read({
        page: listCategories(request.query),
        viewer: viewerOf(request),
      })
      return mapPage(page, (row) => toCategory(row, viewer))
    },
  )
}

function createDiscussionCategoryRoute(api: Api): void {
  api.post(
    '/discussion-categories',
    {
      config: { oneTransaction: true, ...write, etag, errors: [slugTaken, limitReached] },
      schema: {
        tags,
        operationId: 'createDiscussionCategory',
        summary: 'Create a category of discussions',
        description: 'Without `slug`, the slug is made from the name.',
        body: NewCategory,
        response: { 201: envelope(Category) },
      },
    },
    async (request) => {
      return request.write((ctx) => createCategory(ctx, request.body))
    },
  )
}

function getDiscussionCategoryRoute(api: Api): void {
  api.get(
    '/discussion-categories/:id',
    {
      config: { ...read, etag },
      schema: {
        tags,
        operationId: 'getDiscussionCategory',
        summary: 'Get a category of discussions',
        params: ByCategory,
        response: { 200: envelope(Category) },
      },
    },
    async (request) => {
      const { id } = request.params
      const { viewer } = await request.read({ viewer: viewerOf(request) })
      const { category } = await request.read({ category: getCategory({ id, viewer }) })
      return category
    },
  )
}

function updateDiscussionCategoryRoute(api: Api): void {
  api.patch(
    '/discussion-categories/:id',
    {
      config: { ...write, etag, errors: [slugTaken] },
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
      const { id } = request.params
      const { body: changes, ifMatch } = request
      return request.write((ctx) => updateCategory(ctx, { id, changes, ifMatch }))
    },
  )
}

function deleteDiscussionCategoryRoute(api: Api): void {
  api.delete(
    '/discussion-categories/:id',
    {
      config: { ...write, etag, errors: [categoryInUse] },
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
      const { id } = request.params
      await request.write(async (ctx) => {
        await assertUnchanged(ctx, request, { id, viewer: KEY }, getCategory)
        const { name } = await deleteCategory(ctx, { id })
        const target = toId(categoryId, id)
        audit(ctx, { action: 'discussion_category.delete', target, before: { name } })
      })
      return deleted(categoryId, id)
    },
  )
}
