import type { ErrorCatalogue } from '../errors/error-catalogue.ts'
import { fieldsOf, parameterField } from '../reference/fields.ts'
import type { Operation, Reference } from '../reference/reference.ts'

/** What pages of the reference are made from. */
export interface Sources {
  readonly reference: Reference
  readonly errors: ErrorCatalogue
  /** Of the API, without a slash at its end. */
  readonly baseUrl: string
}

/** The parts of an operation's input, in the order in which a client builds a request. */
export function inputsOf(operation: Operation, { reference: { resolve } }: Sources) {
  const placed = (place: string) =>
    operation.parameters
      .filter((parameter) => parameter.in === place)
      .map((parameter) => parameterField(parameter, resolve))
  const bodies = operation.bodies.map(([type, { schema }]) => ({
    title: operation.bodies.length > 1 ? `Body as ${type}` : 'Body',
    note: type === 'application/json' ? '' : `Sent as \`${type}\`.`,
    fields: fieldsOf(schema, resolve),
  }))
  return [
    { title: 'Path parameters', note: '', fields: placed('path') },
    { title: 'Query parameters', note: '', fields: placed('query') },
    ...bodies,
    { title: 'Headers', note: '', fields: placed('header') },
  ].filter(({ fields }) => fields.length > 0)
}

/** Its own errors first; those that nearly all operations share are named only. */
export function errorsBySort({ errors: all }: Operation, { errors }: Sources) {
  return {
    own: all.filter(({ code }) => !errors.isShared(code)),
    shared: [...new Set(all.map(({ code }) => code).filter((code) => errors.isShared(code)))],
  }
}
