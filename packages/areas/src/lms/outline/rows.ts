import { toId } from '#platform/ids.ts'
import { type CourseRow, toFullCourse } from '../courses/rows.ts'
import { enrollmentId, lessonId, moduleId, quizId } from '../ids.ts'
import type { getOutline } from './queries.ts'
import type { CourseDetail, OutlineLesson } from './schema.ts'

type Outline = Awaited<ReturnType<typeof getOutline>>
type LessonOfOutline = Outline['lessons'][number]

/** A course with its outline. @param baseUrl the API's address */
export function toCourseDetail(course: CourseRow, outline: Outline, baseUrl: string): CourseDetail {
  const lessons = Map.groupBy(outline.lessons, (lesson) => lesson.module_id)
  const { enrollment } = outline
  return {
    ...toFullCourse(course, baseUrl),
    modules: outline.modules.map(({ id, title, description }) => ({
      id: toId(moduleId, id),
      title,
      description,
      lessons: (lessons.get(id) ?? []).map(toOutlineLesson),
    })),
    ...(outline.ofMember && {
      enrollment: enrollment
        ? {
            ...enrollment,
            id: toId(enrollmentId, enrollment.id),
            status: enrollment.status as 'active',
          }
        : null,
    }),
  }
}

/** What a member who is enrolled is told of a lesson. */
export const ofViewer = (row: {
  enrollment_id: string | null
  completed_at: string | null
  progress_percentage: number | null
  opens_at: string
}) =>
  row.enrollment_id === null
    ? {}
    : {
        is_completed: row.completed_at !== null,
        progress_percentage: row.progress_percentage ?? 0,
        opens_at: row.opens_at,
      }

export const outlinedOf = (row: Omit<LessonOfOutline, 'enrollment_id'>) => ({
  id: toId(lessonId, row.id),
  title: row.title,
  type: row.type as OutlineLesson['type'],
  duration_minutes: row.duration_minutes,
  completion_rule: row.completion_rule as OutlineLesson['completion_rule'],
  required: row.required,
  drip_days: row.drip_days,
  quiz_id: row.quiz_id === null ? null : toId(quizId, row.quiz_id),
})

const toOutlineLesson = (row: LessonOfOutline): OutlineLesson => ({ ...outlinedOf(row), ...ofViewer(row) })
