import { isDeepStrictEqual } from 'node:util'

/** An object of JSON. */
export type Json = Record<string, unknown>

/** The document while its parts get names. */
export interface Published {
  readonly paths: Record<string, Record<string, PublishedOperation>>
  readonly webhooks: Record<string, Record<string, PublishedOperation>>
  readonly components: {
    readonly schemas: Record<string, Json>
    readonly parameters: Record<string, Json>
  }
}

export interface PublishedOperation {
  readonly operationId: string
  parameters?: Json[]
  readonly requestBody?: { readonly content?: Record<string, { schema?: Json }> }
  readonly responses: Record<string, { readonly content?: Record<string, { schema?: Json }> }>
}

/** @throws Error where another component has the name */
export function addComponent(components: Record<string, Json>, name: string, component: Json): void {
  if (components[name] !== undefined && !isDeepStrictEqual(components[name], component))
    throw new Error(`two parts of the document have the name ${name}`)
  components[name] = component
}

/** `member.created` and `getMember` as `MemberCreated` and `GetMember`. */
export const pascalCase = (name: string): string =>
  name
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')
