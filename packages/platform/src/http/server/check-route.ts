import type { RouteOptions } from 'fastify'
import { invalidBody } from '../../errors.ts'
import { strict } from '../envelope.ts'
import { takeIncludedRole } from '../included-role.ts'
import { takeMemberId } from '../member-names.ts'

const METHODS_WITH_BODY = new Set(['POST', 'PUT', 'PATCH', 'DELETE'])

/**
 * Checks what every route must declare, while it is registered.
 * @throws Error that stops the boot: no access, no response schema, no summary
 */
export function checkRoute(route: RouteOptions & { routePath?: string }): void {
  const name = `${route.method} ${route.url}`
  // Answers to preflight requests and HEAD twins of GET routes come from Fastify itself.
  if (route.method === 'OPTIONS') {
    route.config = { ...route.config, access: 'open' }
    return
  }
  if (route.config?.access === undefined) throw new Error(`${name} declares no access`)
  const schema = route.schema ?? {}
  route.schema = schema
  if (schema.hide) return
  if (schema.response === undefined) throw new Error(`${name} declares no response`)
  if (schema.summary === undefined) throw new Error(`${name} has no summary`)
  schema.querystring ??= strict({})
  takeIncludedRole(route)
  takeMemberId(route)
  const { reads } = route.config
  if (
    (reads === 'replica' || reads === 'report') &&
    !['GET', 'HEAD'].includes(String(route.method)) &&
    !route.config.onlyReads
  )
    throw new Error(`${name} writes: it can neither read replicas nor be a report`)
  // Routes may share the object of their config.
  if (reads === undefined && route.method === 'GET' && isList(schema.response))
    route.config = { ...route.config, reads: 'replica' }
  if (schema.body === undefined && METHODS_WITH_BODY.has(String(route.method))) refuseBody(route)
  if (mayBeLeftOut(String(route.method), schema.body)) fillInBody(route)
}

/** Whether the answer is a page of a list. */
const isList = (response: unknown): boolean =>
  'pagination' in ((response as { 200?: { properties?: object } })[200]?.properties ?? {})

/** Whether a body has no field that is required, nor says that it needs one of several (`needsOneOf`). A PATCH without a body is a mistake. */
export const mayBeLeftOut = (method: string, body: unknown): boolean =>
  ['POST', 'PUT', 'DELETE'].includes(method) &&
  typeof body === 'object' &&
  body !== null &&
  !('needsOneOf' in body) &&
  !('required' in body && (body.required as []).length > 0)

/** A missing body is read as `{}` where no field is required: `POST /auth/logout` needs none. */
function fillInBody(route: RouteOptions): void {
  const others = route.preValidation === undefined ? [] : [route.preValidation].flat()
  route.preValidation = [
    async (request) => {
      if (request.body === undefined) request.body = {}
    },
    ...others,
  ]
}

/** A route without a body accepts no body, or an empty object. */
function refuseBody(route: RouteOptions): void {
  const others = route.preValidation === undefined ? [] : [route.preValidation].flat()
  route.preValidation = [
    async (request) => {
      if (request.body === undefined || request.body === null) return
      const fields = typeof request.body === 'object' ? Object.keys(request.body) : ['']
      if (fields.length === 0) return
      throw invalidBody(
        fields.map((field) => ({ field, rule: 'additionalProperties', message: 'is not a known field' })),
      )
    },
    ...others,
  ]
}
