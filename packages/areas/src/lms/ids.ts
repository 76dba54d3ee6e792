import { defineId } from '#platform/ids.ts'

/** The ids of this area's resources. */
export const courseId = defineId('crs', 'Course')
export const moduleId = defineId('mod', 'Module')
export const lessonId = defineId('les', 'Lesson')
export const enrollmentId = defineId('enr', 'Enrollment')
export const quizId = defineId('quiz', 'Quiz')
export const attemptId = defineId('att', 'Attempt')
export const certificateId = defineId('cert', 'Certificate')
