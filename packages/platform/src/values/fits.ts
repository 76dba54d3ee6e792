import { Ajv, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'
import type { Static, TSchema } from 'typebox'

const ajv = addFormats.default(new Ajv({ strict: false, validateSchema: false }))
const compiled = new WeakMap<TSchema, ValidateFunction>()

/**
 * Whether a value is what a schema says; nothing of it is changed. It is the library that checks requests: the one that
 * comes with the schemas has four hundred files more.
 */
export function fits<S extends TSchema>(schema: S, value: unknown): value is Static<S> {
  let check = compiled.get(schema)
  if (check === undefined) {
    check = ajv.compile(schema)
    compiled.set(schema, check)
  }
  return check(value)
}
