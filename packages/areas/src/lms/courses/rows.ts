import { courseId } from '#areas/entitlements/ids.ts'
import { toId } from '#platform/ids.ts'
import { fromMinor } from '#platform/values/money.ts'
import type { Course, FullCourse } from './schema.ts'

/** What every query for courses reads. */
export const courseColumns = [
  'c.id',
  'c.project_id',
  'c.title',
  'c.slug',
  'c.description',
  'c.thumbnail_file_id',
  'c.category',
  'c.level',
  'c.duration_hours',
  'c.price_minor',
  'c.currency',
  'c.access_days',
  'c.capacity',
  'c.certificates',
  'c.status',
  'c.created_at',
  'c.updated_at',
] as const

/** What is written of a course. */
export interface CourseValues {
  id: string
  title: string
  slug: string
  description: string
  thumbnail_file_id: string | null
  category: string
  level: string
  duration_hours: number
  price_minor: number
  currency: string
  access_days: number | null
  capacity: number | null
  certificates: boolean
}

export interface CourseRow extends CourseValues {
  project_id: string
  status: string
  created_at: string
  updated_at: string
  enrolled_count: number
  rating_count: number
  stars: number
  prerequisites: string[]
}

/** A course as lists show it. @param baseUrl the API's address */
export function toCourse(row: CourseRow, baseUrl: string): Course {
  const url = thumbnailUrl(row, baseUrl)
  return {
    id: toId(courseId, row.id),
    title: row.title,
    description: row.description,
    ...(url !== undefined && { thumbnail_url: url }),
    category: row.category,
    level: row.level as Course['level'],
    duration_hours: row.duration_hours,
    price: fromMinor(row.price_minor, row.currency),
    enrolled_count: row.enrolled_count,
    rating: row.rating_count === 0 ? 0 : Number((row.stars / row.rating_count).toFixed(2)),
    status: row.status as Course['status'],
  }
}

/** All of a course but its outline. @param baseUrl the API's address */
export const toFullCourse = (row: CourseRow, baseUrl: string): FullCourse => ({
  ...toCourse(row, baseUrl),
  slug: row.slug,
  currency: row.currency,
  thumbnail_file_id: row.thumbnail_file_id === null ? null : toId('file', row.thumbnail_file_id),
  access_days: row.access_days,
  capacity: row.capacity,
  prerequisites: row.prerequisites.map((id) => toId(courseId, id)),
  certificates: row.certificates,
  rating_count: row.rating_count,
  created_at: row.created_at,
  updated_at: row.updated_at,
})

/** Where anybody reads the thumbnail of a course; undefined where it has none. */
export const thumbnailUrl = (
  { project_id, thumbnail_file_id }: Pick<CourseRow, 'project_id' | 'thumbnail_file_id'>,
  baseUrl: string,
): string | undefined =>
  thumbnail_file_id === null
    ? undefined
    : `${baseUrl}/api/v1/storage/public/${toId('project', project_id)}/${toId('file', thumbnail_file_id)}`
