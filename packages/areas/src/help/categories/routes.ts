import { Type } from 'typebox'
import type { Context } from '#platform/db/tenant.ts'
import type { AreaDeps } from '#platform/deps.ts'
import type { Api } from '#platform/http/api.ts'
import { Deleted, deleted, envelope, ok } from '#platform/http/envelope.ts'
import { defineTag, ifUnchanged } from '#platform/http/etag.ts'
import { idFromPath, parseId, toId } from '#platform/ids.ts'
import { EDITOR } from '../articles/service.ts'
import { asReader } from '../audience.ts'
import { categoryCircle, categoryInUse, slugTaken } from '../errors.ts'
import { categoryId } from '../ids.ts'
import { fromCursor, toCursor } from './cursor.ts'
import { getCategory, listCategories, listPath } from './queries.ts'
import {
  ById,
  HelpCategory,
  HelpCategoryChanges,
  HelpCategoryDetail,
  HelpCategoryPage,
  ListQuery,
  NewHelpCategory,
} from './schema.ts'
import { createCategory, deleteCategory, toCategory, toDetail, updateCategory } from './service.ts'

const tags = ['Help center']
const categoryTag = defineTag('help_categories', HelpCategoryChanges)
const asEdited = (ctx: Context, id: string) => ({
  id,
  read: () => getCategory(ctx, id, EDITOR).map(toDetail),
})
const read = { access: { secret: 'read:help', public: 'catalog', user: 'self' } } as const
const write = { access: { secret: 'write:help' } } as const
/** Categories in a category are shown together. */
const MOST_CHILDREN = 200

export function categoryRoutes(api: Api, { config }: AreaDeps): void {
  api.get(
    '/help/categories',
    {
      config: { ...read, reads: 'replica' },
      schema: {
        tags,
        operationId: 'listHelpCategories',
        summary: 'List the categories of the help center',
        description:
          'Categories are sorted by position. `article_count` counts the articles that the reader may read. The header `Link` has the address of the next page.',
        querystring: ListQuery,
        response: {
          200: Type.Object({ success: Type.Literal(true), categories: Type.Array(HelpCategory) }),
        },
      },
    },
    async (request, reply) => {
      const { limit, cursor, parent_id } = request.query
      const after = cursor === undefined ? undefined : fromCursor(cursor)
      const parent = parentOf(parent_id)
      const rows =
        parent === 'nobody'
          ? []
          : await request.inProject((ctx) =>
              asReader(ctx, request, (reader) =>
                listCategories(ctx, reader, { limit: limit + 1, after, parent }),
              ),
            )
      const shown = rows.slice(0, limit)
      const last = shown.at(-1)
      if (rows.length > limit && last) {
        const next = new URL(request.url, config.BASE_URL)
        next.searchParams.set('cursor', toCursor(last))
        reply.header('link', `<${next.href}>; rel="next"`)
      }
      return { success: true as const, categories: shown.map(toCategory) }
    },
  )

  api.post(
    '/help/categories',
    {
      config: { oneTransaction: true, ...write, etag: categoryTag, errors: [slugTaken] },
      schema: {
        tags,
        operationId: 'createHelpCategory',
        summary: 'Create a category of the help center',
        description:
          'Without `slug`, the slug is made from the name; if another category has that slug, letters are added.',
        body: NewHelpCategory,
        response: { 201: envelope(HelpCategoryDetail) },
      },
    },
    async (request, reply) => {
      const category = await request.inProject((ctx) => createCategory(ctx, request.body))
      return reply.code(201).send(ok(category))
    },
  )

  api.get(
    '/help/categories/:id',
    {
      config: { ...read, etag: categoryTag },
      schema: {
        tags,
        operationId: 'getHelpCategory',
        summary: 'Get a category of the help center',
        description: 'The answer has the parent categories in `path` and the subcategories in `children`.',
        params: ById,
        response: { 200: envelope(HelpCategoryPage) },
      },
    },
    async (request) => {
      const id = idFromPath(categoryId, request.params.id)
      const page = await request.inProject((ctx) =>
        asReader(ctx, request, (reader) =>
          getCategory(ctx, id, reader)
            .and(listPath(ctx, id))
            .and(listCategories(ctx, reader, { limit: MOST_CHILDREN, parent: id }))
            .map(([[category, path], children]) => ({
              ...toDetail(category),
              path: path
                .filter((step) => step.id !== id)
                .map((step) => ({ ...step, id: toId(categoryId, step.id) })),
              children: children.map(toCategory),
            })),
        ),
      )
      return ok(page)
    },
  )

  api.patch(
    '/help/categories/:id',
    {
      config: { ...write, etag: categoryTag, errors: [slugTaken, categoryCircle] },
      schema: {
        tags,
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
      const id = idFromPath(categoryId, request.params.id)
      const category = await request.inProject((ctx) =>
        ifUnchanged(ctx, request, asEdited(ctx, id), () => updateCategory(ctx, id, request.body)),
      )
      return ok(category)
    },
  )

  api.delete(
    '/help/categories/:id',
    {
      config: { ...write, etag: categoryTag, errors: [categoryInUse] },
      schema: {
        tags,
        operationId: 'deleteHelpCategory',
        summary: 'Delete a category of the help center',
        description:
          'A category can be deleted while it is empty. Move its articles and subcategories first.',
        params: ById,
        response: { 200: Deleted },
      },
    },
    async (request) => {
      const id = idFromPath(categoryId, request.params.id)
      await request.inProject((ctx) =>
        ifUnchanged(ctx, request, asEdited(ctx, id), () => deleteCategory(ctx, id)),
      )
      return deleted(request.params.id)
    },
  )
}

/** Whose children are asked for: anybody’s, nobody’s (null), one’s; or of what is no category. */
function parentOf(text: string | undefined): string | null | undefined | 'nobody' {
  if (text === undefined) return undefined
  return text === 'none' ? null : (parseId(categoryId, text) ?? 'nobody')
}
