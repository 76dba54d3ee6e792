import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyTypeProvider, RawServerDefault } from 'fastify'
import type { Static, TSchema } from 'typebox'
import type { AreaDeps } from '../deps.ts'
import type { Log } from '../telemetry/log.ts'
import type { Enveloped } from './envelope.ts'

// This folder has what authors of areas use. What serves requests is in server/, validation/, openapi/,
// idempotency/, limits/ and uploads/.

/** The types of a route, by its schemas. A handler returns the data; the envelope of the schema is put around them. */
export interface RouteTypes extends FastifyTypeProvider {
  validator: this['schema'] extends TSchema ? Static<this['schema']> : unknown
  serializer: this['schema'] extends Enveloped<infer T>
    ? T
    : this['schema'] extends TSchema
      ? Static<this['schema']>
      : unknown
}

/** An API under construction: routes take their types from their schemas. */
export type Api = FastifyInstance<RawServerDefault, IncomingMessage, ServerResponse, Log, RouteTypes>

/** Registers endpoints. Most need nothing but the request's `read` and `write`. */
export type Routes = (api: Api, deps: AreaDeps) => void
