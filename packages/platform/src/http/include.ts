import { Type } from 'typebox'

/**
 * The query parameter `include`: asks for fields that an answer leaves out otherwise.
 * @param fields their names; several are joined by commas
 */
export function includeParameter(fields: readonly string[]) {
  const one = `(?:${fields.join('|')})`
  return Type.Optional(
    Type.String({
      pattern: `^${one}(?:,${one})*$`,
      maxLength: 200,
      description: `Additional fields in the answer, separated by commas: ${fields.map((field) => `\`${field}\``).join(', ')}`,
      examples: [fields.join(',')],
    }),
  )
}

/** What a request asks for beyond the usual fields. */
export const included = (include: string | undefined): ReadonlySet<string> => new Set(include?.split(','))

/**
 * Leaves out of resources what `include` did not ask for.
 * @param fields the names that it can ask for
 */
export function including<Name extends string>(fields: readonly Name[], include: string | undefined) {
  const asked = included(include)
  const hidden = new Set<string>(fields.filter((field) => !asked.has(field)))
  return <T extends object>(resource: T) =>
    Object.fromEntries(Object.entries(resource).filter(([name]) => !hidden.has(name))) as Omit<T, Name> &
      Partial<Pick<T, Name & keyof T>>
}
