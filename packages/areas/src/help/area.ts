import { defineArea } from '#platform/area.ts'
import * as errors from './errors.ts'
import * as events from './events.ts'
import * as ids from './ids.ts'
import { memberData } from './member-data.ts'
import { helpRoutes } from './routes.ts'
import { fillArticleSpellings } from './search/fill-spellings.due.ts'
import { forgetInsights } from './search/forget-insights.schedule.ts'
import { searchSource } from './search/found.ts'

export const help = defineArea({
  name: 'help',
  ids,
  permissions: ['help'],
  tags: {
    'Help center':
      'Articles that answer common questions: in nested categories, in several languages, with drafts and versions, for everybody, for members or for members on certain plans.',
  },
  routes: helpRoutes,
  errors,
  events,
  background: { schedules: [forgetInsights] },
  dueWork: [fillArticleSpellings],
  memberData,
  searchSources: [searchSource],
})
