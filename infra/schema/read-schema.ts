import type pg from 'pg'

export interface Column {
  readonly name: string
  readonly type: string
  readonly nullable: boolean
  readonly default: string | null
  readonly generated: boolean
  /** The texts that it may have, where they are listed. */
  readonly values: readonly string[] | null
}

interface ForeignKey {
  readonly columns: readonly string[]
  readonly target: string
  /** What a deletion of the target does: `cascade`, `set null`, or nothing of its own. */
  readonly onDelete: string
}

export interface Table {
  readonly name: string
  readonly columns: readonly Column[]
  readonly primaryKey: readonly string[]
  readonly foreignKeys: readonly ForeignKey[]
  /** The table whose rows it counts, and by what. */
  readonly counts: { readonly counted: string; readonly by: readonly string[] } | null
  /** The most rows of it that a project may make. */
  readonly most: number | null
}

/** The tables of a migrated database, in the order of their names; a partitioned one counts once. */
export async function readSchema(client: pg.Client): Promise<Table[]> {
  const { rows } = await client.query<Table>(`
    select c.relname as name,
      (select jsonb_agg(jsonb_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod),
          'nullable', not a.attnotnull, 'default', pg_get_expr(d.adbin, d.adrelid), 'generated', a.attgenerated <> '',
          'values', (select array(select m[1] from regexp_matches(pg_get_constraintdef(k.oid), '''([^'']*)''::text', 'g') as m)
            from pg_constraint k where k.conrelid = c.oid and k.contype = 'c' and k.conkey = array[a.attnum]
              and pg_get_constraintdef(k.oid) ~ '= ANY \\(ARRAY\\[' limit 1)) order by a.attnum)
       from pg_attribute a left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
       where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped) as columns,
      (select coalesce(jsonb_agg(a.attname order by place), '[]')
       from pg_constraint k, unnest(k.conkey) with ordinality as u (number, place)
       join pg_attribute a on a.attnum = u.number
       where k.conrelid = c.oid and k.contype = 'p' and a.attrelid = c.oid) as "primaryKey",
      (select coalesce(jsonb_agg(jsonb_build_object('target', k.confrelid::regclass::text,
          'onDelete', case k.confdeltype when 'c' then 'cascade' when 'n' then 'set null' else '' end,
          'columns', (select jsonb_agg(a.attname order by place) from unnest(k.conkey) with ordinality as u (number, place)
            join pg_attribute a on a.attrelid = c.oid and a.attnum = u.number)) order by k.conname), '[]')
       from pg_constraint k where k.conrelid = c.oid and k.contype = 'f' and k.conparentid = 0) as "foreignKeys",
      (select jsonb_build_object('counted', t.counted, 'by', t.by) from app.counted_tables t where t.counts = c.relname) as counts,
      (select l.most from app.limited_tables l where l.limited = c.relname) as most
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname in ('public', 'app') and c.relkind in ('r', 'p') and not c.relispartition
      and c.relname <> 'schema_migrations'
    order by c.relname`)
  return rows
}
