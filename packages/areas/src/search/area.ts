import { defineArea } from '#platform/area.ts'
import { fillDocuments } from './fill-documents.due.ts'
import { searchRoutes } from './routes.ts'

export const search = defineArea({
  name: 'search',
  tags: {
    Search:
      'One search for discussions, comments, feedback, articles of the help center, courses and products.',
  },
  routes: searchRoutes,
  dueWork: [fillDocuments],
})
