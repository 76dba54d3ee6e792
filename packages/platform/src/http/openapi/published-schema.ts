/** Keywords of our own that are set or left out. */
const INTERNAL: ReadonlySet<string> = new Set(['metadata', 'nullIsEmpty', 'filled'])

/**
 * Removes or translates keywords and formats that only our own validator knows, because customers' validators refuse
 * unknown ones. A reviver for `JSON.parse`.
 */
export function stripInternalKeywords(key: string, value: unknown): unknown {
  if (key === 'limited' && typeof value === 'string') return undefined
  if (INTERNAL.has(key) && value === true) return undefined
  if (key === 'format' && (value === 'currency' || value === 'date-or-time')) return undefined
  if (key === 'format' && value === 'web-url') return 'uri'
  // The route itself says which fields are missing, in words that a schema does not have.
  if (typeof value === 'object' && value !== null && 'needsOneOf' in value) {
    const { needsOneOf: _, ...others } = value
    return { ...others, minProperties: 1 }
  }
  if (isOneBoolean(value)) {
    const { enum: only, ...others } = value
    return { ...others, const: only[0] }
  }
  return value
}

/** What is always true, or always false: generated types tell alternatives apart by it. */
const isOneBoolean = (value: unknown): value is { readonly enum: readonly [boolean] } =>
  typeof value === 'object' &&
  value !== null &&
  'enum' in value &&
  Array.isArray(value.enum) &&
  value.enum.length === 1 &&
  typeof value.enum[0] === 'boolean'
