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
import { onEnd } from './on-end.ts'

/**
 * Makes a span of every request. Work that the request causes later belongs to its trace too. A request that a proxy of
 * TRUST_PROXY forwards is a part of the trace that it names (`traceparent`). Others could name the trace of somebody else, so that
 * they begin a trace of their own, with a link to what they name.
 */
export function traceRequests(api: Api): void {
  const tracer = trace.getTracer('guildhall')
  const active = new WeakMap<FastifyRequest, Context>()
  api.decorateRequest('traceId', undefined)

  api.addHook('onRequest', (request, _reply, done) => {
    const caller = propagation.extract(ROOT_CONTEXT, request.headers)
    const route = request.routeOptions.url ?? 'unknown'
    const attributes = { 'http.request.method': request.method, 'http.route': route }
    const options = { kind: SpanKind.SERVER, attributes }
    const name = `${request.method} ${route}`
    const named = trace.getSpanContext(caller)
    const span =
      named === undefined || isForwarded(request)
        ? tracer.startSpan(name, options, caller)
        : tracer.startSpan(name, { ...options, links: [{ context: named }] }, ROOT_CONTEXT)
    const own = trace.setSpan(ROOT_CONTEXT, span)
    active.set(request, own)
    request.traceId = span.spanContext().traceId
    context.with(own, done)
  })
  // The body arrives in events of the socket, which run outside of the request's context.
  api.addHook('preValidation', (request, _reply, done) => {
    context.with(active.get(request) ?? ROOT_CONTEXT, done)
  })
  onEnd(api, (request, _reply, { status }) => {
    const span = trace.getSpan(active.get(request) ?? ROOT_CONTEXT)
    span?.setAttribute('http.response.status_code', status)
    if (status >= 500) span?.setStatus({ code: SpanStatusCode.ERROR })
    span?.end()
  })
}

/** Whether a proxy of TRUST_PROXY forwards the request: only then Fastify knows more addresses than the one of the connection. */
const isForwarded = ({ ips, fromCell }: FastifyRequest): boolean =>
  typeof fromCell === 'object' || (ips !== undefined && ips.length > 1)
