import { Type } from 'typebox'
import { oneOf, pathId, strict } from '#platform/http/envelope.ts'

export const ProjectId = Type.String({
  description: 'The id of a project',
  examples: ['proj_01jcq3k8f7e8qtk4m3hbw7rn2c'],
})
export const ByProject = strict({ id: pathId('project', ProjectId) })

/** The side of a project that a request is about. */
export const environmentParameter = oneOf(['live', 'test'], {
  default: 'live',
  description: 'The side of the project',
})
export const EnvironmentQuery = strict({ environment: environmentParameter })
