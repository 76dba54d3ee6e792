import {
  type Context,
  context,
  propagation,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import type { FastifyRequest } from 'fastify'
import type { Api } from '../api.ts'

/**
 * Makes a span of every request, as part of the caller's trace where the request names one (`traceparent`). Work that
 * the request causes later belongs to that trace too.
 */
export function traceRequests(api: Api): void {
  const tracer = trace.getTracer('guildhall')
  const active = new WeakMap<FastifyRequest, Context>()
  api.decorateRequest('traceId', undefined)

  api.addHook('onRequest', (request, _reply, done) => {
    const caller = propagation.extract(ROOT_CONTEXT, request.headers)
    const route = request.routeOptions.url ?? 'unknown'
    const attributes = { 'http.request.method': request.method, 'http.route': route }
    const span = tracer.startSpan(`${request.method} ${route}`, { kind: SpanKind.SERVER, attributes }, caller)
    const own = trace.setSpan(caller, span)
    active.set(request, own)
    request.traceId = span.spanContext().traceId
    context.with(own, done)
  })
  // The body arrives in events of the socket, which run outside of the request's context.
  api.addHook('preValidation', (request, _reply, done) => {
    context.with(active.get(request) ?? ROOT_CONTEXT, done)
  })
  api.addHook('onResponse', async (request, reply) => {
    const span = trace.getSpan(active.get(request) ?? ROOT_CONTEXT)
    span?.setAttribute('http.response.status_code', reply.statusCode)
    if (reply.statusCode >= 500) span?.setStatus({ code: SpanStatusCode.ERROR })
    span?.end()
  })
}
