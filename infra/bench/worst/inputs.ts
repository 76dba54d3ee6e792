/** What a hostile client asks of a list, made from what the document says that the list takes. */
import { type Endpoint, missingIdLike, type Parameter, queryParameters } from './document.ts'

/** A request's query parameters. */
export type Input = Readonly<Record<string, string>>

const DEEP_PAGE = '5000'

/** Texts that are searched for: found everywhere, in one row, nowhere; with what means something in a pattern, and long ones. */
const SEARCHES = [
  'e',
  'zq',
  'member-77',
  'qqxjzkwv',
  '%',
  '_',
  '\\',
  '%_%_%_%_',
  'a'.repeat(200),
  '%_'.repeat(100),
  'e '.repeat(100),
]

const SEARCH_NAMES: ReadonlySet<string> = new Set(['search', 'q'])

/** Values of one parameter: each of an enumeration; otherwise some that find much and some that find nothing. */
function valuesOf({ name, schema, example }: Parameter): string[] {
  if (SEARCH_NAMES.has(name)) return SEARCHES
  const words = schema.enum ?? schema.anyOf?.flatMap((each) => each.const ?? [])
  if (words !== undefined && words.length > 0) return words.map(String)
  if (schema.type === 'boolean') return ['true', 'false']
  if (schema.type === 'integer') return [String(schema.maximum ?? example ?? 1)]
  if (/_(date|since)$/.test(name)) return ['2020-01-01', '2099-01-01']
  const missing = missingIdLike(example)
  if (missing !== undefined) return [missing]
  return [...(example === undefined ? [] : [String(example)]), 'none-such']
}

/** Every worst input of a list. */
export function inputsOf(endpoint: Endpoint): Input[] {
  const parameters = queryParameters(endpoint)
  const named = (name: string) => parameters.find((parameter) => parameter.name === name)
  const base: Record<string, string> = { limit: String(named('limit')?.schema.maximum ?? 100) }
  for (const parameter of parameters)
    if (parameter.required) base[parameter.name] = valuesOf(parameter)[0] ?? ''

  const pages: Input[] = named('page') ? [{}, { page: DEEP_PAGE }] : [{}]
  const directions = orders(named('sort'), named('order'))
  const filters = parameters
    .filter(({ name }) => !['limit', 'page', 'cursor', 'sort', 'order', 'include'].includes(name))
    .flatMap((parameter): Input[] =>
      parameter.name === 'metadata.{key}'
        ? [{ 'metadata.company': 'Company 7' }, { 'metadata.company': 'none' }, { 'metadata.none': 'none' }]
        : valuesOf(parameter).map((value) => ({ [parameter.name]: value })),
    )
  // A filter in the list's own order; what finds little and what finds much in every order, and far back.
  const inEveryOrder = filters.filter(
    (filter) => !('search' in filter) || /^(e|qqxjzkwv)$/.test(filter.search),
  )
  return distinct([
    ...directions.flatMap((direction) => pages.map((page) => ({ ...base, ...direction, ...page }))),
    ...filters.flatMap((filter) => pages.map((page) => ({ ...base, ...filter, ...page }))),
    ...inEveryOrder.flatMap((filter) =>
      directions.map((direction) => ({ ...base, ...filter, ...direction })),
    ),
  ])
}

function orders(sort: Parameter | undefined, order: Parameter | undefined): Input[] {
  const sorts = sort === undefined ? [{}] : valuesOf(sort).map((value) => ({ sort: value }))
  const both = order === undefined ? [{}] : valuesOf(order).map((value) => ({ order: value }))
  return sorts.flatMap((one) => both.map((other) => ({ ...one, ...other })))
}

const distinct = (inputs: readonly Input[]): Input[] => [
  ...new Map(inputs.map((input) => [JSON.stringify(input), input])).values(),
]
