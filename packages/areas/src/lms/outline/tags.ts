import type { Context } from '#platform/db/tenant.ts'
import { defineTag } from '#platform/http/etag.ts'
import { STAFF } from '../access.ts'
import { getLesson, getModule, type LessonRow } from './queries.ts'
import { outlinedOf } from './rows.ts'
import { LessonChanges, ModuleChanges } from './schema.ts'

// What the ETags of modules and lessons cover.

export const moduleTag = defineTag('course_modules', ModuleChanges)
export const lessonTag = defineTag('lessons', LessonChanges)
/** Who learns sees less of a lesson; the tag covers all of it. */
export const tagSource = (row: LessonRow) => ({ ...row, ...outlinedOf(row) })
export const currentModule = (ctx: Context, id: string) => ({ id, read: () => getModule(ctx, id) })
export const currentLesson = (ctx: Context, id: string) => ({
  id,
  read: () => getLesson(ctx, STAFF, id).map(tagSource),
})
