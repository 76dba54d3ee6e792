import type { RouteOptions } from 'fastify'
import { idFromPath, type Resource } from '../../ids.ts'
import { type Enveloped, NAMES, TO_BODY } from '../envelope.ts'

// This file does for handlers what their routes declare: it parses the ids in the path, answers with the declared status,
// and puts what the handler returns into the declared envelope. What a handler sends by itself is left alone.

type PathIds = readonly (readonly [name: string, resource: Resource])[]

/** Wraps the handler of a route. */
export function serveAsDeclared(route: RouteOptions): void {
  const { handler, schema } = route
  const pathIds = pathIdsOf(schema?.params)
  const successes = successesOf(schema?.response)
  const [status] = successes.size === 1 ? successes.keys() : []
  route.handler = function (request, reply) {
    for (const [name, resource] of pathIds) {
      const params = request.params as Record<string, string>
      params[name] = idFromPath(resource, params[name] ?? '')
    }
    const answer = (returned: unknown): unknown => {
      if (returned === undefined || reply.sent) return returned
      if (status !== undefined) reply.code(status)
      const toBody = successes.get(reply.statusCode)
      return toBody === undefined ? returned : toBody(returned)
    }
    const returned: unknown = handler.call(this, request, reply)
    if (returned === reply) return returned
    return returned instanceof Promise ? returned.then(answer) : answer(returned)
  }
}

/** The parameters of a path that are ids of resources. */
function pathIdsOf(params: unknown): PathIds {
  const { properties = {} } = (params ?? {}) as { properties?: Readonly<Record<string, object>> }
  return Object.entries(properties).flatMap(([name, schema]) =>
    NAMES in schema ? [[name, schema[NAMES] as Resource] as const] : [],
  )
}

type ToBody = Enveloped<unknown>[typeof TO_BODY]

/** The successes that a route declares, by status, with what makes their bodies. Of several, the handler sets the status. */
function successesOf(response: unknown): ReadonlyMap<number, ToBody | undefined> {
  const declared = Object.entries((response ?? {}) as Readonly<Record<string, object>>)
  return new Map(
    declared
      .filter(([status]) => /^2\d\d$/.test(status))
      .map(([status, schema]) => [Number(status), toBodyOf(schema)]),
  )
}

function toBodyOf(schema: object): ToBody | undefined {
  const { content } = schema as { content?: Readonly<Record<string, { schema: object }>> }
  const json = content === undefined ? schema : content['application/json']?.schema
  return (json as Partial<Enveloped<unknown>> | undefined)?.[TO_BODY]
}
