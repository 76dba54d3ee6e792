import pg, { type Client } from 'pg'

/** A table of the migrated database, as PostgreSQL's own catalogue describes it. */
export interface Table {
  readonly name: string
  readonly columns: readonly Column[]
  readonly primaryKey: readonly string[]
  readonly foreignKeys: readonly ForeignKey[]
  /** Whether row-level security is on, and for the owner too. */
  readonly secured: boolean
  readonly forced: boolean
  readonly policies: readonly Policy[]
  /** A part of a partitioned table; reached through the whole. */
  readonly isPartition: boolean
}

export interface Column {
  readonly name: string
  readonly type: string
  /** Whether an insert must give it a value. */
  readonly needed: boolean
  readonly nullable: boolean
  /** Whether PostgreSQL computes its value from other columns. */
  readonly generated: boolean
  /** What a `check` of this column compares it with, as text. */
  readonly check: string
}

export interface ForeignKey {
  readonly name: string
  readonly columns: readonly string[]
  readonly target: string
  readonly targetColumns: readonly string[]
}

export interface Policy {
  readonly name: string
  readonly roles: readonly string[]
  readonly using: string | null
  readonly check: string | null
}

/** Every table of the application. */
export async function readTables(client: Client): Promise<Table[]> {
  const { rows } = await client.query<Table>(`
    select c.relname as name, c.relrowsecurity as secured, c.relforcerowsecurity as forced,
      c.relispartition as "isPartition",
      (select coalesce(json_agg(json_build_object(
          'name', a.attname, 'type', format_type(a.atttypid, a.atttypmod),
          'nullable', not a.attnotnull, 'generated', a.attgenerated <> '',
          'needed', a.attnotnull and not a.atthasdef and a.attidentity = '',
          'check', coalesce((select string_agg(pg_get_constraintdef(k.oid), ' ') from pg_constraint k
            where k.conrelid = c.oid and k.contype = 'c' and a.attnum = any (k.conkey)), ''))
        order by a.attnum), '[]')
        from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped) as columns,
      (select coalesce(json_agg(a.attname order by key.place), '[]')
        from pg_constraint k, unnest(k.conkey) with ordinality as key (attnum, place), pg_attribute a
        where k.conrelid = c.oid and k.contype = 'p' and a.attrelid = c.oid and a.attnum = key.attnum) as "primaryKey",
      (select coalesce(json_agg(json_build_object('name', k.conname, 'target', t.relname,
          'columns', (select json_agg(a.attname order by key.place)
            from unnest(k.conkey) with ordinality as key (attnum, place)
            join pg_attribute a on a.attrelid = k.conrelid and a.attnum = key.attnum),
          'targetColumns', (select json_agg(a.attname order by key.place)
            from unnest(k.confkey) with ordinality as key (attnum, place)
            join pg_attribute a on a.attrelid = k.confrelid and a.attnum = key.attnum))), '[]')
        from pg_constraint k join pg_class t on t.oid = k.confrelid
        where k.conrelid = c.oid and k.contype = 'f') as "foreignKeys",
      (select coalesce(json_agg(json_build_object('name', p.polname,
          'roles', (select json_agg(case r when 0 then 'public' else pg_get_userbyid(r) end) from unnest(p.polroles) r),
          'using', pg_get_expr(p.polqual, c.oid), 'check', pg_get_expr(p.polwithcheck, c.oid))), '[]')
        from pg_policy p where p.polrelid = c.oid) as policies
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'public' and c.relkind in ('r', 'p') order by c.relname`)
  return rows
}

/** The tables whose rows belong to a project, and that are reached by their own name. */
export const tenantTables = (tables: readonly Table[]): Table[] =>
  tables.filter((table) => isTenanted(table) && !table.isPartition)

export const isTenanted = (table: Table): boolean =>
  table.columns.some((column) => column.name === 'project_id')

/** Where each request is written down, also one that is refused. */
const LOG_OF_REQUESTS = 'request_log'

/**
 * All rows that belong to projects, or to the given ones, summed up; what a key's use leaves behind (`last_used_at`, the log of
 * requests) is not looked at.
 */
export async function fingerprint(
  database: { readonly url: string },
  projectIds?: readonly string[],
): Promise<string> {
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  try {
    const sums: string[] = []
    for (const { name } of tenantTables(await readTables(client))) {
      if (name === LOG_OF_REQUESTS) continue
      const { rows } = await client.query<{ rows: number; sum: string }>(
        `select count(*)::int as rows, md5(coalesce(string_agg(text, chr(10) order by text), '')) as sum
         from (select (to_jsonb(t) - 'last_used_at')::text as text from ${client.escapeIdentifier(name)} t
           where $1::uuid[] is null or project_id = any ($1)) as all_rows`,
        [projectIds ?? null],
      )
      sums.push(`${name} ${rows[0]?.rows} ${rows[0]?.sum}`)
    }
    return sums.join('\n')
  } finally {
    await client.end()
  }
}
