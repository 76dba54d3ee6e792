import { parse } from 'uuid'
import { readProjectKeys, unwrapKey, wrapKey } from '#platform/keys/project-keys.ts'
import { openHex, type Row, SEALED, Secrets, toHex } from '../transfer/sealed.ts'
import { asReplica, oneValue } from './installation.ts'
import type { Move } from './move.ts'

/** Rows that are sealed anew in one round. */
const BATCH = 100
/** Every process reads new keys each five seconds. */
const KNOWN_MS = 12_000
/** Access tokens live an hour; clocks differ. */
const TOKENS = '65 minutes'

/** What is not sealed with the key of its own side. */
const FOREIGN = (column: string) =>
  `${column} is not null and (get_byte(${column}, 0) <> 2 or substring(${column} from 2 for 16) <> $2)`

/** Seals with the keys of the two sides what is sealed with SECRET_KEY itself: nobody could open it in the other installation. */
export async function sealForMove({ source, sides }: Pick<Move, 'source' | 'sides'>): Promise<number> {
  await readProjectKeys(source.owner, source.config)
  const secrets = new Secrets(source.config)
  let total = 0
  for (const side of sides)
    for (const [table, columns] of Object.entries(SEALED))
      for (const { column } of columns)
        for (;;) {
          const { rows } = await source.owner.query<{ line: string; place: string; before: Buffer }>(
            `select row_to_json(t)::text as line, ctid::text as place, ${column} as before from ${table} t
             where project_id = $1 and ${FOREIGN(column)} limit ${BATCH}`,
            [side, Buffer.from(parse(side))],
          )
          if (rows.length === 0) break
          total += rows.length
          for (const { line, place, before } of rows) {
            const sealed = secrets.map(table, JSON.parse(line) as Row, (value, box, owner, of) =>
              toHex(box.seal(openHex(box, value, owner, of), owner, side)),
            )[column]
            await source.owner.query(
              `update ${table} set ${column} = $3::bytea where ctid = $1::tid and ${column} = $2`,
              [place, before, sealed],
            )
          }
        }
  return total
}

/** How many values the other installation could not open. */
export async function countForeign({ source, sides }: Move): Promise<number> {
  let total = 0
  for (const side of sides)
    for (const [table, columns] of Object.entries(SEALED))
      for (const { column } of columns)
        total += Number(
          await oneValue<number>(
            source.owner,
            `select count(*)::int as value from ${table} where project_id = $1 and ${FOREIGN(column)}`,
            [side, Buffer.from(parse(side))],
          ),
        )
  return total
}

/**
 * Wraps the keys of both sides for the other installation.
 * @returns milliseconds until every process there knows them
 */
export async function handKeysOver({ source, target, sides }: Move): Promise<number> {
  const { rows } = await source.owner.query<{ id: string; wrapped: Buffer }>(
    'select id, wrapped from project_keys where id = any ($1)',
    [sides],
  )
  for (const { id, wrapped } of rows) {
    const key = unwrapKey(source.config, id, wrapped)
    // Before the project, so that nobody there makes another key for it. It was made now, as far as processes there are concerned.
    const stored = await asReplica(target.owner, async (client) => {
      await client.query(
        'insert into project_keys (id, wrapped) values ($1, $2) on conflict (id) do nothing',
        [id, wrapKey(target.secretKey, id, key)],
      )
      const found = await client.query<{ wrapped: Buffer }>(
        'select wrapped from project_keys where id = $1',
        [id],
      )
      return found.rows[0]?.wrapped
    })
    if (stored === undefined || !unwrapKey(target.config, id, stored).equals(key))
      throw new Error(`the other installation has another key for the project ${id}`)
  }
  const age = await oneValue<number>(
    target.owner,
    `select (extract(epoch from clock_timestamp() - max(created_at)) * 1000)::float8 as value from project_keys where id = any ($1)`,
    [sides],
  )
  return Math.max(0, KNOWN_MS - Number(age ?? 0))
}

/**
 * Access tokens that were signed here, or in a cell before, are valid there until they expire: for these two sides alone. A key is
 * published for no longer than here, however often a project moves. May be repeated.
 */
export async function publishSigningKeys({
  source,
  target,
  sides,
  row,
}: Pick<Move, 'source' | 'target' | 'sides' | 'row'>): Promise<void> {
  const { rows } = await source.owner.query<{
    id: string
    public_key: object
    issuer: string
    until: string
  }>(
    `select id, public_key, $1 as issuer,
       least(published_until, coalesce($3::timestamptz, now()) + interval '${TOKENS}')::text as until
     from signing_keys where published_until is null or published_until > now()
     union all
     select id, public_key, issuer, max(published_until)::text from foreign_signing_keys
     where side = any ($2) and published_until > now() group by id, public_key, issuer`,
    [source.config.BASE_URL, sides, row.switched_at],
  )
  for (const { id, public_key, issuer, until } of rows)
    await target.owner.query(
      `insert into foreign_signing_keys (id, side, public_key, issuer, published_until)
       select $1, side, $2, $3, $4 from unnest($5::uuid[]) as side
       where not exists (select from signing_keys where id = $1)
       on conflict (id, side) do update set
         published_until = greatest(foreign_signing_keys.published_until, excluded.published_until)`,
      [id, JSON.stringify(public_key), issuer, until, sides],
    )
}
