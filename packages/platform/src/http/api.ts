import type { IncomingMessage, ServerResponse } from 'node:http'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { FastifyInstance, RawServerDefault } from 'fastify'
import type { AreaDeps } from '../deps.ts'
import type { Log } from '../telemetry/log.ts'

// This folder has what authors of areas use. What serves requests is in server/, validation/, openapi/,
// idempotency/, limits/ and uploads/.

/** An API under construction: routes take their types from their schemas. */
export type Api = FastifyInstance<RawServerDefault, IncomingMessage, ServerResponse, Log, TypeBoxTypeProvider>

/** Registers endpoints. Most need nothing but the request's `read` and `write`. */
export type Routes = (api: Api, deps: AreaDeps) => void
