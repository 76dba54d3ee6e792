import fc from 'fast-check'
import type { Contract, Schema } from '../catalog/contract.ts'
import { type Part, partsOf, withoutValue, withValue } from '../catalog/json-paths.ts'
import { prefixOf } from '../catalog/sample-requests.ts'
import { hostileText, hostileValue } from './hostile-values.ts'
import { type IdsOf, valuesOf } from './schema-values.ts'

type Change = (body: unknown) => unknown

/** An example whose ids are replaced by those that `idsOf` gives. */
export function examplesOf(example: unknown, idsOf: IdsOf): fc.Arbitrary<unknown> {
  const prefix = prefixOf(example)
  if (prefix !== undefined) return idsOf(prefix)
  if (Array.isArray(example)) return fc.tuple(...example.map((entry) => examplesOf(entry, idsOf)))
  if (typeof example !== 'object' || example === null) return fc.constant(example)
  const fields = Object.entries(example).map(([name, value]) => [name, examplesOf(value, idsOf)])
  return fc.record(Object.fromEntries(fields) as Record<string, fc.Arbitrary<unknown>>)
}

/** Bodies made from the documented example: some parts by others that are allowed, or that are not. */
export function mutatedBodies(
  contract: Contract,
  schema: Schema,
  example: unknown,
  idsOf: IdsOf,
  isAllowed: boolean,
): fc.Arbitrary<unknown> {
  const parts = partsOf(contract, schema).filter(({ path }) => path.length > 0)
  if (parts.length === 0) return fc.constant(example)
  const change = fc.constantFrom(...parts).chain((part) => changeOf(contract, part, idsOf, isAllowed))
  return fc
    .tuple(examplesOf(example, idsOf), fc.array(change, { minLength: 1, maxLength: 3 }))
    .map(([body, changes]) => changes.reduce<unknown>((changed, apply) => apply(changed), body))
}

function changeOf(
  contract: Contract,
  { path, schema }: Part,
  idsOf: IdsOf,
  isAllowed: boolean,
): fc.Arbitrary<Change> {
  const replaced = (values: fc.Arbitrary<unknown>) =>
    values.map(
      (value): Change =>
        (body) =>
          withValue(body, path, value),
    )
  if (isAllowed) return replaced(valuesOf(contract, schema, idsOf))
  return fc.oneof(
    { arbitrary: replaced(hostileValue), weight: 4 },
    { arbitrary: replaced(hostileText), weight: 2 },
    { arbitrary: fc.constant<Change>((body) => withoutValue(body, path)), weight: 1 },
    {
      arbitrary: fc.tuple(hostileText, hostileValue).map(
        ([name, value]): Change =>
          (body) =>
            withValue(body, [...path.slice(0, -1), name], value),
      ),
      weight: 1,
    },
  )
}
