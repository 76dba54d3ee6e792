/** What ids of courses, and of what belongs to them, name. */
export const courseId = 'course'
export const moduleId = 'module'
export const lessonId = 'lesson'
export const enrollmentId = 'enrollment'
export const quizId = 'quiz'
export const attemptId = 'attempt'
export const certificateId = 'certificate'
