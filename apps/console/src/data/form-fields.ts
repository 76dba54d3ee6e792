/** A field of a body of the API, as forms need it. */
export interface FormField {
  /** As the body names it; empty for the items of a list. */
  readonly name: string
  /** `map`: texts by names of one's own. `value`: JSON of whatever kind, or one of several types. */
  readonly type: 'text' | 'integer' | 'number' | 'boolean' | 'list' | 'map' | 'object' | 'value'
  readonly required?: true
  /** Null is another thing than not to send it. */
  readonly nullable?: true
  /** The only texts that it can be. */
  readonly words?: readonly string[]
  readonly format?: string
  /** Of a number the number itself, of a text its characters, of a list its items. */
  readonly min?: number
  readonly max?: number
  /** What the API takes where nothing is sent. */
  readonly default?: unknown
  /** What a list has. */
  readonly item?: FormField
  /** What an object has. */
  readonly fields?: readonly FormField[]
}

/** An operation that has a body. */
export interface FormOperation {
  /** As the client library names it, such as `members.update`. */
  readonly name: string
  /** Where an operation of the console's own API is, such as `PATCH /projects/{project}/settings/{side}`: the library has no call for it. */
  readonly address?: string
  readonly summary: string
  readonly fields: readonly FormField[]
  readonly takesIfMatch?: true
  /** How many ids its path has, if any. */
  readonly ids?: number
}
