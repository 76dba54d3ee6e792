import { defineArea } from '#platform/area.ts'
import { exportList } from './export-list.job.ts'
import { listExportRoutes } from './routes.ts'

export const listExports = defineArea({
  name: 'list-exports',
  tags: { Exports: 'Files with your data, made in the background and kept for a day.' },
  routes: listExportRoutes,
  background: { jobs: [exportList] },
})
