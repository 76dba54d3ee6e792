import { Type } from 'typebox'
import { limitReached } from '#platform/define-error.ts'
import type { Api } from '#platform/http/api.ts'
import { Deleted, deleted, envelope, envelopeOf } from '#platform/http/envelope.ts'
import { assertUnchanged } from '#platform/http/etag.ts'
import { including } from '#platform/http/include.ts'
import { linkNext } from '#platform/http/page.ts'
import { viewerOf } from '#platform/http/viewer.ts'
import { toId } from '#platform/ids.ts'
import { audiencesOf } from '../audience.ts'
import { categoryCircle, categoryInUse, slugTaken } from '../errors.ts'
import { categoryId } from '../ids.ts'
import { changeCategory, getCategory, getEdited, listCategories, listChildren, listPath } from './queries.ts'
import {
  ById,
  HelpCategoryChanges,
  HelpCategoryDetail,
  HelpCategoryPage,
  INCLUDES,
  ListedHelpCategory,
  ListQuery,
  NewHelpCategory,
} from './schema.ts'
import { createCategory, deleteCategory, updateCategory } from './service.ts'

const etag = changeCategory.tag
const read = { access: { secret: 'read:help', public: 'catalog', user: 'self' } } as const
const write = { access: { secret: 'write:help' } } as const

export function categoryRoutes(api: Api): void {
  listHelpCategoriesRoute(api)
  createHelpCategoryRoute(api)
  getHelpCategoryRoute(api)
  updateHelpCategoryRoute(api)
  deleteHelpCategoryRoute(api)
}

function listHelpCategoriesRoute(api: Api): void {
  api.get(
    '/help/categories',
    {
      config: { ...read, reads: 'replica' },
      schema: {
        operationId: 'listHelpCategories',
        summary: 'List the categories of the help center',
        description:
          'Categories are sorted by position. `article_count` counts the articles that the reader may read. The header `Link` has the address of the next page.',
        querystring: ListQuery,
        response: { 200: envelopeOf({ categories: Type.Array(ListedHelpCategory) }) },
      },
    },
    async (request, reply) => {
      const { parent_id, include, ...page } = request.query
      const { viewer } = await request.read({ viewer: viewerOf(request) })
      const audiences = audiencesOf(viewer)
      const within = parent_id === 'none' ? { top: true as const } : { parent_id }
      const { categories } = await request.read({
        categories: listCategories({ ...page, audiences, ...within }),
      })
      linkNext(request, reply, categories.pagination)
      return { categories: categories.rows.map(including(INCLUDES, include)) }
    },
  )
}

function createHelpCategoryRoute(api: Api): void {
  api.post(
    '/help/categories',
    {
      config: { oneTransaction: true, ...write, etag, errors: [slugTaken, limitReached] },
      schema: {
        operationId: 'createHelpCategory',
        summary: 'Create a category of the help center',
        description:
          'Without `slug`, the slug is made from the name; if another category has that slug, letters are added.',
        body: NewHelpCategory,
        response: { 201: envelope(HelpCategoryDetail) },
      },
    },
    async (request) => {
      return request.write((ctx) => createCategory(ctx, request.body))
    },
  )
}

function getHelpCategoryRoute(api: Api): void {
  api.get(
    '/help/categories/:id',
    {
      config: { ...read, etag },
      schema: {
        operationId: 'getHelpCategory',
        summary: 'Get a category of the help center',
        description: 'The answer has the parent categories in `path` and the subcategories in `children`.',
        params: ById,
        response: { 200: envelope(HelpCategoryPage) },
      },
    },
    async (request) => {
      const { id } = request.params
      const { viewer } = await request.read({ viewer: viewerOf(request) })
      const audiences = audiencesOf(viewer)
      const { category, path, children } = await request.read({
        category: getCategory({ id, audiences }),
        path: listPath({ id }),
        children: listChildren({ id, audiences }),
      })
      const above = path.filter((step) => step.id !== id)
      return {
        ...category,
        path: above.map((step) => ({ ...step, id: toId(categoryId, step.id) })),
        children,
      }
    },
  )
}

function updateHelpCategoryRoute(api: Api): void {
  api.patch(
    '/help/categories/:id',
    {
      config: { ...write, etag, errors: [slugTaken, categoryCircle] },
      schema: {
        operationId: 'updateHelpCategory',
        summary: 'Change a category of the help center',
        description:
          'Only the fields that are sent change. If the parent changes, everything in the category moves with it.',
        params: ById,
        body: HelpCategoryChanges,
        response: { 200: envelope(HelpCategoryDetail) },
      },
    },
    async (request) => {
      const { id } = request.params
      const { body: changes, ifMatch } = request
      return request.write((ctx) => updateCategory(ctx, { id, changes, ifMatch }))
    },
  )
}

function deleteHelpCategoryRoute(api: Api): void {
  api.delete(
    '/help/categories/:id',
    {
      config: { ...write, etag, errors: [categoryInUse] },
      schema: {
        operationId: 'deleteHelpCategory',
        summary: 'Delete a category of the help center',
        description:
          'A category can be deleted while it is empty. Move its articles and subcategories first.',
        params: ById,
        response: { 200: Deleted },
      },
    },
    async (request) => {
      const { id } = request.params
      await request.write(async (ctx) => {
        await assertUnchanged(ctx, request, { id }, getEdited)
        await deleteCategory(ctx, id)
      })
      return deleted(categoryId, id)
    },
  )
}
