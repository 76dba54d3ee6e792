import type { Attributes } from '@opentelemetry/api'

type OpenTelemetry = typeof import('@opentelemetry/api')

/** Set by `startTracing`. The library has a hundred files, which a process without traces does not load. */
let telemetry: OpenTelemetry | undefined

/** From now on spans are made. The library keeps its providers for the whole process, too. */
export function makeSpansBy(api: OpenTelemetry): void {
  telemetry = api
}

/**
 * The W3C trace context of the running work, to be stored with the work that it causes; null if tracing is off (no SDK
 * is loaded).
 */
export function currentTraceparent(): string | null {
  if (telemetry === undefined) return null
  const { context, propagation } = telemetry
  const carrier: { traceparent?: string } = {}
  propagation.inject(context.active(), carrier)
  return carrier.traceparent ?? null
}

/** The id of a stored trace context, as lines of the log name it. */
export const traceOf = (traceparent: string | null): { trace_id?: string } => {
  const id = traceparent?.split('-')[1]
  return id === undefined ? {} : { trace_id: id }
}

/**
 * Runs background work as a span of the trace that caused it.
 * @param traceparent the result of `currentTraceparent` at that time
 */
export function inSpan<T>(
  traceparent: string | null,
  name: string,
  attributes: Attributes,
  work: () => Promise<T>,
): Promise<T> {
  if (telemetry === undefined) return work()
  const { propagation, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } = telemetry
  const origin = traceparent === null ? ROOT_CONTEXT : propagation.extract(ROOT_CONTEXT, { traceparent })
  const options = { kind: SpanKind.CONSUMER, attributes }
  return trace.getTracer('guildhall').startActiveSpan(name, options, origin, async (span) => {
    try {
      return await work()
    } catch (error) {
      span.recordException(error as Error)
      span.setStatus({ code: SpanStatusCode.ERROR })
      throw error
    } finally {
      span.end()
    }
  })
}
