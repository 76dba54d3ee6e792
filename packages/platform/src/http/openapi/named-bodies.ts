import { addComponent, type Json, type Published, pascalCase } from './parts.ts'

const SCHEMAS = '#/components/schemas/'

/**
 * Names the bodies that have no title: `MemberResponse` is `{success, data: Member}`, `MemberList` has `pagination` too, and
 * what has another shape is named by its operation, as `GetMemberStatsResponse`.
 */
export function nameBodies({ paths, webhooks, components: { schemas } }: Published): void {
  const hoist = (media: { schema?: Json } | undefined, nameOf: (schema: Json) => string) => {
    if (media?.schema === undefined || '$ref' in media.schema) return
    const name = nameOf(media.schema)
    addComponent(schemas, name, media.schema)
    media.schema = { $ref: SCHEMAS + name }
  }
  for (const operation of Object.values(paths).flatMap((item) => Object.values(item))) {
    const id = pascalCase(operation.operationId)
    const successes = Object.entries(operation.responses).filter(([status]) => status.startsWith('2'))
    for (const [i, [status, { content }]] of successes.entries())
      hoist(content?.['application/json'], (schema) => {
        const others = i === 0 ? '' : status
        return nameOfEnvelope(schema) ?? `${id}${others}Response`
      })
    for (const [type, media] of Object.entries(operation.requestBody?.content ?? {}))
      if (type === 'application/json') hoist(media, () => `${id}Request`)
  }
  for (const [event, { post }] of Object.entries(webhooks))
    hoist(post?.requestBody?.content?.['application/json'], () => `${pascalCase(event)}Event`)
}

/** The name of an envelope of one named thing, or of a page of them. */
function nameOfEnvelope({ properties }: Json): string | undefined {
  const { success, data, pagination, ...others } = (properties ?? {}) as Record<string, Json>
  if (success === undefined || data === undefined || Object.keys(others).length > 0) return undefined
  const item = nameOf(data['items'])
  if (item !== undefined && nameOf(pagination) === 'Pagination') return `${item}List`
  const one = nameOf(data)
  return one === undefined || pagination !== undefined ? undefined : `${one}Response`
}

function nameOf(schema: unknown): string | undefined {
  const { $ref } = (schema ?? {}) as { $ref?: string }
  return $ref?.startsWith(SCHEMAS) ? $ref.slice(SCHEMAS.length) : undefined
}
