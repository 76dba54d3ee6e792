const PREFIX = 'metadata.'

/** What metadata must have, by key: of a query string the parameters `metadata.<key>`; undefined without any. */
export function metadataFilter(query: object): Record<string, string> | undefined {
  const wanted = Object.entries(query).flatMap(([name, value]) =>
    name.startsWith(PREFIX) && typeof value === 'string' ? [[name.slice(PREFIX.length), value] as const] : [],
  )
  return wanted.length === 0 ? undefined : Object.fromEntries(wanted)
}
