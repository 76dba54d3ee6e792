import type { Call } from './call.ts'
import { jsLiteral } from './literals.ts'
import type { SdkName } from './openapi-types.ts'

/** A call with the client library: the ids of the path come first, then the body or the query. */
export function sdkSample(
  { group, method }: SdkName,
  { origin, credential, pathValues, query, json, form }: Call,
): string {
  const input = json ?? (Object.keys(query).length > 0 ? query : undefined)
  const values = [
    ...pathValues.map((value) => jsLiteral(value, 0)),
    ...(form === undefined ? [] : ['form']),
    ...(input === undefined ? [] : [jsLiteral(input, 0)]),
  ]
  const call = `guildhall.${group}.${method}(${values.join(', ')})`
  const held = credential === 'TOKEN' ? 'token: TOKEN' : `key: ${credential}`
  return [
    "import { createClient } from '@guildhall/sdk'",
    '',
    `const guildhall = createClient({ baseUrl: '${origin}'${credential === undefined ? '' : `, ${held}`} })`,
    ...(method === 'list'
      ? [`for await (const item of ${call}) console.log(item)`]
      : [`console.log(await ${call})`]),
  ].join('\n')
}
