import type { Config } from '../config.ts'
import { makeSpansBy } from './trace-context.ts'

/** Sends the finished spans, and stops tracing. */
export interface Tracing {
  close(): Promise<void>
}

/**
 * Traces this process where OTEL_EXPORTER_OTLP_ENDPOINT names a collector. The SDK is loaded only then; without it
 * every span and context in the code does nothing.
 * @param service the name of the process in traces
 */
export async function startTracing(config: Config, service: string): Promise<Tracing | undefined> {
  const endpoint = config.OTEL_EXPORTER_OTLP_ENDPOINT
  if (endpoint === undefined) return undefined
  const [
    api,
    sdk,
    { OTLPTraceExporter },
    { AsyncLocalStorageContextManager },
    core,
    { resourceFromAttributes },
  ] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/context-async-hooks'),
    import('@opentelemetry/core'),
    import('@opentelemetry/resources'),
  ])
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/$/, '')}/v1/traces` })
  const provider = new sdk.TracerProvider({
    resource: resourceFromAttributes({ 'service.name': `guildhall-${service}` }),
    spanProcessors: [new sdk.BatchSpanProcessor({ exporter })],
  })
  api.context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  api.propagation.setGlobalPropagator(new core.W3CTraceContextPropagator())
  api.trace.setGlobalTracerProvider(provider)
  makeSpansBy(api)
  return { close: () => provider.shutdown() }
}
