declare module 'pg/lib/utils.js' {
  /** pg's own mapping of a JavaScript value to what the wire carries. */
  export function prepareValue(value: unknown): string | Buffer | null
}
