import { context, propagation } from '@opentelemetry/api'

/**
 * The W3C trace context of what runs now, to be kept beside what it causes; null where nothing is traced (no SDK is
 * loaded).
 */
export function currentTraceparent(): string | null {
  const carrier: { traceparent?: string } = {}
  propagation.inject(context.active(), carrier)
  return carrier.traceparent ?? null
}
