/** An object of JSON. */
export type Json = Record<string, unknown>
