import { lazyRouteComponent } from '@tanstack/react-router'
import { list, screen } from './routes.ts'

/** Courses, with their lessons, quizzes and those who are enrolled. */
export const courses = [
  list(
    'courses',
    lazyRouteComponent(() => import('../../areas/lms/list.tsx'), 'CourseList'),
  ),
  screen(
    'courses/$id',
    lazyRouteComponent(() => import('../../areas/lms/detail.tsx'), 'CourseDetail'),
  ),
  screen(
    'courses/$id/settings',
    lazyRouteComponent(() => import('../../areas/lms/settings.tsx'), 'CourseSettings'),
  ),
  list(
    'courses/$id/enrollments',
    lazyRouteComponent(() => import('../../areas/lms/gradebook.tsx'), 'Gradebook'),
  ),
  screen(
    'courses/$id/enrollments/$enrollment',
    lazyRouteComponent(() => import('../../areas/lms/enrollment.tsx'), 'EnrollmentDetail'),
  ),
  list(
    'courses/$id/ratings',
    lazyRouteComponent(() => import('../../areas/lms/ratings.tsx'), 'CourseRatings'),
  ),
  screen(
    'courses/$id/lessons/$lesson',
    lazyRouteComponent(() => import('../../areas/lms/lesson.tsx'), 'LessonEditor'),
  ),
  screen(
    'courses/$id/lessons/$lesson/quiz',
    lazyRouteComponent(() => import('../../areas/lms/quiz.tsx'), 'QuizEditor'),
  ),
]
