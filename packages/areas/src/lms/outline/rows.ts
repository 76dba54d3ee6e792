import { type AnswerOf, answering, pick } from '#platform/db/query.ts'
import type { Credential } from '#platform/http/viewer.ts'
import { toId } from '#platform/ids.ts'
import type { FullCourse } from '../courses/schema.ts'
import { enrollmentId, lessonId, moduleId, quizId } from '../ids.ts'
import { findOwnEnrollment, listLessons, listModules } from './queries.ts'
import type { CourseDetail, OutlineLesson } from './schema.ts'

type LessonOfOutline = AnswerOf<typeof listLessons>[number]

interface Outline {
  readonly modules: AnswerOf<typeof listModules>
  readonly lessons: readonly LessonOfOutline[]
  readonly enrollment: AnswerOf<typeof findOwnEnrollment>
}

/** What `read` asks for the outline of a course, with what the viewer did in it: as many statements however long it is. */
export const outlineOf = (course: string, { memberId }: Credential) => ({
  modules: listModules({ course }),
  lessons: listLessons({ course, memberId }),
  enrollment: memberId === null ? answering(undefined) : findOwnEnrollment({ course, memberId }),
})

/** A course with its outline. */
export function toCourseDetail(
  { memberId }: Credential,
  course: FullCourse,
  { modules, lessons, enrollment }: Outline,
): CourseDetail {
  const byModule = Map.groupBy(lessons, (lesson) => lesson.module_id)
  return {
    ...course,
    modules: modules.map((module) => ({
      ...module,
      id: toId(moduleId, module.id),
      lessons: (byModule.get(module.id) ?? []).map((lesson) => ({
        ...outlinedOf(lesson),
        ...ofViewer(lesson),
      })),
    })),
    ...(memberId !== null && {
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

/** What an enrolled member sees of a lesson. */
export const ofViewer = (row: LessonOfOutline) =>
  row.enrollment_id === null
    ? {}
    : {
        is_completed: row.completed_at !== null,
        progress_percentage: row.progress_percentage ?? 0,
        opens_at: row.opens_at,
      }

export const outlinedOf = (row: LessonOfOutline) => ({
  ...pick(row, 'title', 'duration_minutes', 'required', 'drip_days'),
  id: toId(lessonId, row.id),
  type: row.type as OutlineLesson['type'],
  completion_rule: row.completion_rule as OutlineLesson['completion_rule'],
  quiz_id: row.quiz_id === null ? null : toId(quizId, row.quiz_id),
})
