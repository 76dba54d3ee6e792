import { defineArea } from '#platform/area.ts'
import { exportList } from './export-list.job.ts'
import { listExportRoutes } from './routes.ts'

export const listExports = defineArea({
  name: 'list-exports',
  routes: listExportRoutes,
  background: { jobs: [exportList] },
})
