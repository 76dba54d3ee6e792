import { attachFile, findReadyFile } from '#areas/storage/service.ts'
import type { Context } from '#platform/db/tenant.ts'
import { invalidField } from '#platform/errors.ts'
import { emit } from '#platform/events/emit.ts'
import type { PatchValues } from '#platform/http/define-patch.ts'
import { assertMatches } from '#platform/http/etag.ts'
import { readNamedIds } from '#platform/http/named-ids.ts'
import { KEY } from '#platform/http/viewer.ts'
import { newUuid, parseId } from '#platform/ids.ts'
import { fromMinor, toMinor } from '#platform/values/money.ts'
import { notAFile } from '../errors.ts'
import { coursePublished } from '../events.ts'
import { courseId } from '../ids.ts'
import { refreshSearch } from './found.ts'
import {
  findCourses,
  getCourse,
  insertCourse,
  isSlugTaken,
  lockCourse,
  patchCourse,
  setCourseStatus,
  setPrerequisites,
} from './queries.ts'
import type { CourseChanges, FullCourse, NewCourse } from './schema.ts'

interface Place {
  /** The API's address. */
  readonly BASE_URL: string
}

const EMPTY = {
  description: '',
  thumbnail_file_id: null,
  category: '',
  level: 'beginner',
  duration_hours: 0,
  access_days: null,
  capacity: null,
  certificates: true,
}

/** @throws ApiError 422 SLUG_TAKEN, or for a price, a file or a prerequisite that does not fit */
export async function createCourse(ctx: Context, place: Place, input: NewCourse): Promise<FullCourse> {
  const id = newUuid()
  const { price = 0, currency = 'usd', prerequisites = [], thumbnail_file_id = null, ...rest } = input
  await insertCourse(ctx, {
    ...EMPTY,
    ...rest,
    slug: rest.slug ?? (await freeSlug(ctx, input.title)),
    id,
    currency,
    price_minor: minorOf(price, currency),
    thumbnail_file_id: await useThumbnail(ctx, id, thumbnail_file_id),
  })
  if (prerequisites.length > 0) await setPrerequisites(ctx, id, await readCourseIds(ctx, prerequisites))
  return show(ctx, place, id)
}

/**
 * Changes what is sent of a course, and nothing else.
 * @throws ApiError 404; 412; 422 SLUG_TAKEN, PREREQUISITE_CIRCLE, or for a price, a file or a prerequisite that does not fit
 */
export async function updateCourse(
  ctx: Context,
  place: Place,
  { id, changes, ifMatch }: PatchValues<CourseChanges> & { readonly id: string },
): Promise<FullCourse> {
  const before = await lockCourse(ctx, { id })
  await assertMatches(ctx, patchCourse.tag, ifMatch, id, () => show(ctx, place, id))
  const { price, currency = before.currency, prerequisites, thumbnail_file_id } = changes
  if (prerequisites !== undefined) await setPrerequisites(ctx, id, await readCourseIds(ctx, prerequisites))
  const stored: CourseChanges = { ...changes }
  if (price !== undefined || currency !== before.currency)
    stored.price = minorOf(price ?? fromMinor(before.price_minor, before.currency), currency)
  if (thumbnail_file_id !== undefined)
    stored.thumbnail_file_id = await useThumbnail(ctx, id, thumbnail_file_id)
  const course = await patchCourse(ctx, { ...seen(place, id), changes: stored, ifMatch: undefined })
  await refreshSearch(ctx, id)
  return course
}

/** Opens a course to everybody. One that is published stays as it is, and is not announced again. @throws ApiError 404 */
export async function publishCourse(ctx: Context, place: Place, id: string): Promise<FullCourse> {
  const { status } = await lockCourse(ctx, { id })
  if (status === 'published') return show(ctx, place, id)
  setCourseStatus(ctx, { id, status: 'published' })
  await refreshSearch(ctx, id)
  const course = await show(ctx, place, id)
  emit(ctx, coursePublished, course)
  return course
}

/** Takes no enrollments any more; those who are enrolled go on. @throws ApiError 404 */
export async function archiveCourse(ctx: Context, place: Place, id: string): Promise<FullCourse> {
  lockCourse(ctx, { id })
  setCourseStatus(ctx, { id, status: 'archived' })
  await refreshSearch(ctx, id)
  return show(ctx, place, id)
}

const seen = ({ BASE_URL }: Place, id: string) => ({ id, baseUrl: BASE_URL, ...KEY })
const show = (ctx: Context, place: Place, id: string) => getCourse(ctx, seen(place, id))

function minorOf(price: number, currency: string): number {
  const minor = toMinor(price, currency)
  if (minor === undefined) throw invalidField('price', 'decimals', `has more decimals than ${currency} has`)
  return minor
}

/** @throws ApiError 422 with each that is no course, by its place */
const readCourseIds = (ctx: Context, ids: readonly string[]): Promise<string[]> =>
  readNamedIds({
    field: 'prerequisites',
    ids,
    parse: (id) => parseId(courseId, id),
    find: (ids) => findCourses(ctx, { ids }),
    message: 'is not a course of this project',
  })

/** Keeps a public image for a course. @throws ApiError 422 for a file that anybody cannot read */
async function useThumbnail(ctx: Context, course: string, fileId: string | null): Promise<string | null> {
  if (fileId === null) return null
  const id = parseId('file', fileId)
  const file = id === undefined ? undefined : await findReadyFile(ctx, { id })
  if (id === undefined || file === undefined) throw notAFile('thumbnail_file_id')
  if (file.visibility !== 'public')
    throw invalidField(
      'thumbnail_file_id',
      'public',
      'must be a public file, because everybody who sees the course sees it',
    )
  attachFile(ctx, id, { kind: 'course', id: course })
  return id
}

/** The slug of a title; where another course has that one, with a few random letters behind it. */
async function freeSlug(ctx: Context, title: string): Promise<string> {
  const slug = slugOf(title)
  return (await isSlugTaken(ctx, { slug })) ? `${slug.slice(0, 71)}-${newUuid().slice(-8)}` : slug
}

/** A title as a slug: `Café Crème` becomes `cafe-creme`; one without Latin letters or digits gets a random one. */
function slugOf(title: string): string {
  const words = title
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{M}/gu, '')
    .match(/[a-z0-9]+/g)
  return words?.join('-').slice(0, 80).replace(/-$/, '') ?? `course-${newUuid().slice(-12)}`
}
