import type { FastifyRequest, RouteOptions } from 'fastify'
import { ApiError } from '../../errors.ts'
import type { Api } from '../api.ts'

const API = '/api/v1'

interface KnownRoute {
  readonly methods: readonly string[]
  readonly segments: readonly string[]
  readonly parameters: number
}

/** Hints for paths that do not exist. */
export interface RouteHints {
  /** The methods of a path; empty where the path does not exist. */
  methodsOf(path: string): readonly string[]
}

/** Notes each route when it is registered; earlier routes are not known. */
export function registerRouteHints(api: Api): void {
  const routes: KnownRoute[] = []
  api.addHook('onRoute', (route: RouteOptions) => {
    if (route.schema?.hide === true || route.method === 'OPTIONS') return
    const segments = route.url.split('/')
    const parameters = segments.filter(isParameter).length
    routes.push({ methods: [route.method].flat(), segments, parameters })
  })
  const hints: RouteHints = {
    methodsOf: (path) => {
      const given = path.split('/')
      const fitting = routes.filter(({ segments }) => fits(segments, given))
      // `/members/stats` has the shape of `/members/:id`, but names no member.
      const least = Math.min(...fitting.map(({ parameters }) => parameters))
      const best = fitting.filter(({ parameters }) => parameters === least)
      return [...new Set(best.flatMap(({ methods }) => methods))].sort()
    },
  }
  api.decorate('routeHints', hints)
}

const isParameter = (segment: string) => segment.startsWith(':')

const fits = (segments: readonly string[], given: readonly string[]) =>
  segments.length === given.length &&
  segments.every((segment, i) => (isParameter(segment) ? given[i] !== '' : segment === given[i]))

/** 404 for a path that does not exist. It names the methods that the path takes, or the similar path of the API. */
export function pathNotFound(request: FastifyRequest, hints: RouteHints | undefined): ApiError {
  const { method } = request
  const path = request.url.split('?')[0] ?? ''
  const message = `${method} ${path} not found`
  const methods = hints?.methodsOf(path) ?? []
  if (methods.length > 0) {
    const allow = methods.join(', ')
    return new ApiError(404, 'NOT_FOUND', `${message}: this path takes ${allow}`, { headers: { allow } })
  }
  const isElsewhere = (hints?.methodsOf(API + path) ?? []).length > 0
  return new ApiError(404, 'NOT_FOUND', isElsewhere ? `${message}: it is at ${API}${path}` : message)
}
