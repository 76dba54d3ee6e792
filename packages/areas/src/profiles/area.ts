import { defineArea } from '#platform/area.ts'
import { memberData } from './member-data.ts'
import { profileRoutes } from './routes.ts'

export const profiles = defineArea({
  name: 'profiles',
  tags: {
    Profiles:
      'The data that members see of each other: names, pictures and badges. Members change their own with `PATCH /user/profile`.',
  },
  routes: profileRoutes,
  memberData,
})
