import type { Call } from './call.ts'
import { jsLiteral } from './literals.ts'
import type { Operation } from './reference.ts'

/** A call with the client library: the ids of the path come first, then the body or the query. */
export function sdkSample({ sdk }: Operation, { pathValues, query, json, form }: Call): string | undefined {
  if (sdk === undefined) return undefined
  const input = json ?? (Object.keys(query).length > 0 ? query : undefined)
  const values = [
    ...pathValues.map((value) => jsLiteral(value, 0)),
    ...(form === undefined ? [] : ['form']),
    ...(input === undefined ? [] : [jsLiteral(input, 0)]),
  ]
  return [
    "import { Guildhall } from '@guildhall/sdk'",
    '',
    'const guildhall = new Guildhall({ key: process.env.KEY })',
    `const answer = await guildhall.${sdk.group}.${sdk.method}(${values.join(', ')})`,
  ].join('\n')
}
