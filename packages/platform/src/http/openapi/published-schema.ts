/**
 * What only our own validator understands, in the words of everybody's: customers' validators refuse keywords and
 * formats that they do not know. A reviver for `JSON.parse`.
 */
export function stripInternalKeywords(key: string, value: unknown): unknown {
  if ((key === 'metadata' || key === 'nullIsEmpty') && value === true) return undefined
  if (key === 'format' && (value === 'currency' || value === 'date-or-time')) return undefined
  if (key === 'format' && value === 'web-url') return 'uri'
  return value
}
