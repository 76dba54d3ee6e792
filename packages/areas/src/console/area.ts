import { defineArea } from '#platform/area.ts'
import * as errors from './errors.ts'
import { consoleRoutes } from './routes.ts'

export const console = defineArea({ name: 'console', console: consoleRoutes, errors })
