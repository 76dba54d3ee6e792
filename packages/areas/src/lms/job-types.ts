import { Type } from 'typebox'

const Uuid = Type.String({ format: 'uuid' })

/** Counts anew how far everybody in a course has come, after its outline changed. */
export const recomputeCourse = {
  name: 'lms.recompute-course',
  lane: 'default',
  payload: Type.Object({ course_id: Uuid }),
} as const

/** Removes what members did in a lesson that was deleted, and then counts anew. */
export const removeLesson = {
  name: 'lms.remove-lesson',
  lane: 'default',
  payload: Type.Object({ lesson_id: Uuid, course_id: Uuid }),
} as const
