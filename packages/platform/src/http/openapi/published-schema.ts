/**
 * Removes or translates keywords and formats that only our own validator knows, because customers' validators refuse
 * unknown ones. A reviver for `JSON.parse`.
 */
export function stripInternalKeywords(key: string, value: unknown): unknown {
  if (key === 'limited' && typeof value === 'string') return undefined
  if ((key === 'metadata' || key === 'nullIsEmpty') && value === true) return undefined
  if (key === 'format' && (value === 'currency' || value === 'date-or-time')) return undefined
  if (key === 'format' && value === 'web-url') return 'uri'
  return value
}
