/** A field of a change, before and after it. */
export interface Difference {
  readonly field: string
  readonly before: string | undefined
  readonly after: string | undefined
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A value as a text, for who reads it. */
const textOf = (value: unknown): string | undefined => {
  if (value === undefined) return undefined
  if (typeof value === 'string') return value
  return Array.isArray(value) && value.every((each) => !isObject(each))
    ? value.join(', ')
    : JSON.stringify(value)
}

/** What is not the same before and after a change, field by field. What is no object is one field without a name. */
export function differences(before: unknown, after: unknown): readonly Difference[] {
  if (!isObject(before) && !isObject(after)) {
    if (JSON.stringify(before ?? null) === JSON.stringify(after ?? null)) return []
    return [{ field: '', before: textOf(before ?? undefined), after: textOf(after ?? undefined) }]
  }
  const [from, to] = [isObject(before) ? before : {}, isObject(after) ? after : {}]
  const fields = new Set([...Object.keys(from), ...Object.keys(to)])
  // It says when, as the entry itself does.
  fields.delete('updated_at')
  return [...fields]
    .filter((field) => JSON.stringify(from[field]) !== JSON.stringify(to[field]))
    .map((field) => ({ field, before: textOf(from[field]), after: textOf(to[field]) }))
}
