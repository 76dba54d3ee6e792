import type { AreaDeps } from '#platform/deps.ts'
import type { Api } from '#platform/http/api.ts'
import { certificateRoutes } from './certificates/routes.ts'
import { courseRoutes } from './courses/routes.ts'
import { enrollmentRoutes } from './enrollments/routes.ts'
import { gradebookRoutes } from './gradebook/routes.ts'
import { outlineRoutes } from './outline/routes.ts'
import { progressRoutes } from './progress/routes.ts'
import { quizRoutes } from './quizzes/routes.ts'
import { ratingRoutes } from './ratings/routes.ts'

export function lmsRoutes(api: Api, deps: AreaDeps): void {
  courseRoutes(api, deps)
  outlineRoutes(api, deps)
  enrollmentRoutes(api, deps)
  progressRoutes(api)
  quizRoutes(api)
  ratingRoutes(api, deps)
  gradebookRoutes(api)
  certificateRoutes(api, deps)
}
