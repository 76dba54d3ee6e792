import { defineArea } from '#platform/area.ts'
import { removeKeptPages } from './certificates/kept-pages.ts'
import { verifyPage } from './certificates/verify-page.ts'
import { searchSource } from './courses/found.ts'
import { expireEnrollments } from './enrollments/expire-enrollments.due.ts'
import { followPlanFeatures } from './enrollments/follow-features.job.ts'
import * as errors from './errors.ts'
import * as events from './events.ts'
import * as ids from './ids.ts'
import { memberData } from './member-data.ts'
import { recomputeCourse, removeLesson } from './recompute-course.job.ts'
import { lmsRoutes } from './routes.ts'

export const lms = defineArea({
  name: 'lms',
  ids,
  permissions: ['learning'],
  tags: {
    Courses:
      'Courses with modules and lessons, quizzes, progress and certificates. Members see published courses, and the lessons of the courses in which they are enrolled.',
  },
  routes: lmsRoutes,
  pages: verifyPage,
  errors,
  events,
  background: { jobs: [recomputeCourse, removeLesson, followPlanFeatures, removeKeptPages] },
  dueWork: [expireEnrollments],
  memberData,
  searchSources: [searchSource],
})
