/** A JSON schema as it stands in the document. */
export type Schema = Readonly<Record<string, unknown>>

export interface Parameter {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly description?: string
  readonly schema?: Schema
  readonly example?: unknown
}

export interface MediaType {
  readonly schema?: Schema
  readonly example?: unknown
  readonly examples?: Readonly<Record<string, { readonly value?: unknown }>>
}

export interface Answer {
  readonly description?: string
  readonly headers?: Readonly<Record<string, unknown>>
  readonly content?: Readonly<Record<string, MediaType>>
}

export interface Body {
  readonly required?: boolean
  readonly content?: Readonly<Record<string, MediaType>>
}

/** How the client library calls an operation. */
export interface SdkName {
  readonly group: string
  readonly method: string
}

export interface RawOperation {
  readonly operationId?: string
  readonly summary?: string
  readonly description?: string
  readonly tags?: readonly string[]
  readonly parameters?: readonly unknown[]
  readonly requestBody?: unknown
  readonly responses?: Readonly<Record<string, unknown>>
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[]
  readonly 'x-sdk'?: SdkName
}

/** The API's document, as far as its pages read it. */
export interface OpenApiDocument {
  readonly info: { readonly version: string; readonly description?: string }
  readonly tags?: readonly { readonly name: string; readonly description?: string }[]
  readonly paths?: Readonly<Record<string, Readonly<Record<string, RawOperation>>>>
  readonly webhooks?: Readonly<Record<string, { readonly post?: RawOperation }>>
}
