import { SerializerSelector } from '@fastify/fast-json-stringify-compiler'
import type { FastifySerializerCompiler } from 'fastify'

/** Formats of ours are checked where a value comes in, and only named where it leaves. */
const compile = SerializerSelector()({}, { ajv: { formats: { 'web-url': true } } })

/**
 * Serializes answers as Fastify's own compiler does, but compiles each schema at its first use. A route has a schema
 * for each of its answers, and most of these are never sent.
 */
export const serializerCompiler: FastifySerializerCompiler<object> = (route) => {
  let serialize: ReturnType<typeof compile> | undefined
  return (answer) => {
    serialize ??= compile({ httpStatus: '', ...route })
    return serialize(answer)
  }
}
