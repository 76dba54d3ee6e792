import { areas } from '#areas/areas.ts'
import { makeDeps } from '#platform/deps.ts'
import { buildApi } from '#platform/http/server/build-api.ts'
import { parseConfig } from '#platform/parse-config.ts'

/** A schema of the document. */
export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly default?: unknown
  readonly description?: string
  readonly format?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly additionalProperties?: Schema | boolean
  readonly propertyNames?: Schema
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly minimum?: number
  readonly exclusiveMinimum?: number
  readonly maximum?: number
}

export interface Parameter {
  readonly $ref?: string
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required?: boolean
  readonly description?: string
  readonly schema: Schema
}

interface Body {
  readonly $ref?: string
  readonly required?: boolean
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>
}

export interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly description?: string
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: Body
  readonly responses: Readonly<Record<string, Body>>
  readonly 'x-sdk': { readonly group: string; readonly method: string }
  readonly 'x-idempotency'?: 'key'
  /** Which credentials may call it. Operators call what has `secret`. */
  readonly 'x-access': 'open' | Readonly<Partial<Record<'secret' | 'public' | 'user', string>>>
}

export interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly webhooks: Readonly<Record<string, { readonly post: Operation }>>
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>
    readonly parameters: Readonly<Record<string, Parameter>>
  }
}

/** Nobody listens there: the document needs no database. */
const NOWHERE = 'postgres://nobody@127.0.0.1:1/nothing'

/** The API's document, as `/openapi.json` serves it, without a server and without a database. */
export async function readDocument(): Promise<ApiDocument> {
  const config = parseConfig({ DATABASE_URL: NOWHERE, SECRET_KEY: '0'.repeat(64), LOG_LEVEL: 'silent' })
  const deps = await makeDeps(config)
  const api = await buildApi(deps, areas)
  await api.ready()
  const text = JSON.stringify(api.swagger())
  await api.close()
  await deps.close()
  return JSON.parse(text) as ApiDocument
}
