import { isDeepStrictEqual } from 'node:util'
import { type Static, type TSchema, Type } from 'typebox'
import { oneOf, strict } from '#platform/http/envelope.ts'
import { LIST_NAMES, LISTS } from './lists.ts'

/** Every filter that any of the lists takes. One that lists take with different words is any word here. */
function allFilters(): Record<string, TSchema> {
  const all = new Map<string, { schema: TSchema; of: string[] }>()
  for (const { of, filters } of Object.values(LISTS))
    for (const [name, schema] of Object.entries(filters)) {
      const known = all.get(name)
      const isSame = known === undefined || isDeepStrictEqual(rulesOf(known.schema), rulesOf(schema))
      all.set(name, {
        schema: isSame ? schema : Type.String({ minLength: 1, maxLength: 200 }),
        of: [...(known?.of ?? []), of],
      })
    }
  return Object.fromEntries([...all].map(([name, { schema, of }]) => [name, asFilter(schema, of)]))
}

const SAID = new Set(['title', 'description', 'examples', 'default'])
/** What a value must be, without what is said about it. */
const rulesOf = (schema: TSchema): object =>
  Object.fromEntries(Object.entries(schema).filter(([name]) => !SAID.has(name)))

const asFilter = (schema: TSchema, of: readonly string[]) =>
  Type.Optional(
    Type.Unsafe<unknown>({ ...rulesOf(schema), description: `The filter of the list, for ${of.join(', ')}` }),
  )

export const Filters = strict(allFilters(), {
  title: 'ListExportFilters',
  description: 'The filters of the list, with the same meaning. One that the list does not have is refused',
})

export const NewListExport = strict(
  {
    of: oneOf(LIST_NAMES, { description: 'The list' }),
    filters: Type.Optional(Filters),
    bom: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'True starts the CSV with a byte order mark, which some programs need to detect UTF-8',
      }),
    ),
    raw: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'True leaves cells that look like formulas of spreadsheets as they are',
      }),
    ),
  },
  {
    title: 'NewListExport',
    examples: [{ of: 'orders', filters: { status: 'paid', start_date: '2026-11-01' } }],
  },
)
export type NewListExport = Static<typeof NewListExport>
