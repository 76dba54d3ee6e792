import pg from 'pg'

const { builtins } = pg.types

/** `2026-11-21 09:00:00.123456+00`, as a session in UTC prints it, to ISO 8601 with milliseconds. */
function isoTimestamp(text: string): string {
  // Nearly all have three digits or more behind the second; those at its end are left out.
  if (text.length >= WITH_MILLISECONDS && text.endsWith('+00'))
    return `${text.slice(0, 10)}T${text.slice(11, 23)}Z`
  if (!text.endsWith('+00') || text.length < 22) return new Date(text).toISOString()
  const milliseconds = text.length > 22 ? text.slice(20, -3).padEnd(3, '0').slice(0, 3) : '000'
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${milliseconds}Z`
}

const WITH_MILLISECONDS = '2026-11-21 09:00:00.123+00'.length

/**
 * `{…,…}` of one dimension. No id has a quote, a comma or a brace, so none is looked at by itself: the library takes 2 µs for each,
 * and a page of rules can have 20,000.
 */
const idsOf = (text: string): (string | null)[] => {
  if (text === '{}') return []
  const ids = text.slice(1, -1).split(',')
  return text.includes('NULL') ? ids.map((id) => (id === 'NULL' ? null : id)) : ids
}
/** `uuid[]`, which the library has no name for. */
const UUIDS = 2951

const parsers = new Map<number, (text: string) => unknown>([
  // Every timestamp leaves the API as ISO 8601 in UTC.
  [builtins.TIMESTAMPTZ, isoTimestamp],
  // Counts and minor units stay far below 2^53; columns that could pass it carry a check.
  [builtins.INT8, Number],
  [UUIDS, idsOf],
])

/** How PostgreSQL's text becomes values, for every pool of ours. */
export const types = {
  getTypeParser: (oid: number): ((text: string) => unknown) =>
    parsers.get(oid) ?? (pg.types.getTypeParser(oid, 'text') as (text: string) => unknown),
}
