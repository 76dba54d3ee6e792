/** The names of fields that hold secrets. */
export const SECRET = /password|secret|token/

/** A value as it can be shown and kept: what is secret in it is written as dots. */
export function masked(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(masked)
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      SECRET.test(name) && typeof inner === 'string' ? '…' : masked(inner),
    ]),
  )
}
