import { type TString, Type } from 'typebox'
import { oneOf } from './envelope.ts'
import { ORDERS, searchParameter } from './page.ts'

// The query parameters that lists have besides their page, named and described alike everywhere. A list takes those for which it has
// an index or few rows; a catalog test walks all lists and names what each of them leaves out.

const DIRECTIONS = '`asc`: ascending; `desc`: descending'
const order = oneOf(ORDERS, { title: 'SortOrder', default: 'desc', description: DIRECTIONS })

const ascending = oneOf(ORDERS, { title: 'AscendingOrder', default: 'asc', description: DIRECTIONS })

/** `order` of a list whose default depends on what is asked. @param byDefault what it is then */
export const unsetOrder = (byDefault: string) =>
  Type.Optional(oneOf(ORDERS, { description: `${DIRECTIONS}. Default: ${byDefault}` }))

const SAME = 'Records with the same value are sorted by id'

/**
 * `sort` and `order`.
 * @param words the fields to sort by, the default first
 */
export const sortParameters = <const W extends readonly string[]>(
  words: W,
  { byDefault = 'desc', description = '' }: { byDefault?: 'asc' | 'desc'; description?: string } = {},
) => ({
  sort: oneOf(words, {
    default: words[0],
    description: `The field to sort by. ${description && `${description}. `}${SAME}`,
  }),
  order: byDefault === 'asc' ? ascending : order,
})

/** The same for a list whose search is sorted by how well records match, where the request does not say otherwise. */
export const rankedSortParameters = <const W extends readonly string[]>(
  words: W,
  { description = '' } = {},
) => ({
  sort: Type.Optional(
    oneOf(words, {
      description: `The order. ${description && `${description}. `}Default: the best match first with \`search\`, otherwise \`${words[0]}\``,
    }),
  ),
  order,
})

/** `start_date` and `end_date` of when records were created. */
export const createdParameters = {
  start_date: Type.Optional(
    Type.String({
      title: 'StartDate',
      format: 'date-or-time',
      description:
        'Only records that were created at this time or later: a timestamp with its offset, or a date, which begins at 00:00 UTC',
      examples: ['2026-11-01'],
    }),
  ),
  end_date: Type.Optional(
    Type.String({
      title: 'EndDate',
      format: 'date-or-time',
      description:
        'Only records that were created at this time or earlier: a timestamp with its offset, or a date, up to the end of that day',
      examples: ['2026-11-30'],
    }),
  ),
}

/** The same of another time. @param what such as `were changed` */
export const datesWhen = (what: string) => ({
  start_date: Type.Optional(
    Type.String({
      format: 'date-or-time',
      description: `Only records that ${what} at this time or later: a timestamp with its offset, or a date, which begins at 00:00 UTC`,
      examples: ['2026-11-01'],
    }),
  ),
  end_date: Type.Optional(
    Type.String({
      format: 'date-or-time',
      description: `Only records that ${what} at this time or earlier: a timestamp with its offset, or a date, up to the end of that day`,
      examples: ['2026-11-30'],
    }),
  ),
})

/** A filter by an id. @param description which records are left */
export const idParameter = (id: TString, description: string) => Type.Optional({ ...id, description })

/** `search`. @param places what is looked in, such as `the name or the address` */
export const searchIn = (places: string) =>
  searchParameter(`Only records with this text as a part of ${places}. Upper and lower case are the same`)
