import {
  type Attributes,
  context,
  propagation,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'

/**
 * The W3C trace context of what runs now, to be kept beside what it causes; null where nothing is traced (no SDK is
 * loaded).
 */
export function currentTraceparent(): string | null {
  const carrier: { traceparent?: string } = {}
  propagation.inject(context.active(), carrier)
  return carrier.traceparent ?? null
}

/**
 * Runs background work as a span of the trace that caused it.
 * @param traceparent what `currentTraceparent` answered back then
 */
export function inSpan<T>(
  traceparent: string | null,
  name: string,
  attributes: Attributes,
  work: () => Promise<T>,
): Promise<T> {
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
