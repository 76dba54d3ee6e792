import { sql } from 'kysely'
import pg, { type Client, type Pool } from 'pg'
import { openPool } from '#platform/db/pool.ts'
import { defineLookup, defineQuery } from '#platform/db/query.ts'
import { ApiError } from '#platform/errors.ts'
import { cloneDatabase, onServer, type TestDatabase } from '../database.ts'
import { withOpened } from '../with-api.ts'

export interface Note {
  id: string
  text: string
}

/** A table that is tenanted like any other and in no migration, for tests of the data layer itself. */
export const makeNotes = ({ url }: TestDatabase): Promise<void> =>
  onServer(
    url,
    `create table notes (project_id uuid not null, id uuid not null, text text not null,
      primary key (project_id, id), constraint notes_text_key unique (project_id, text))`,
    "call app.tenant_table('notes')",
  )

export interface NotesEnvironment {
  readonly pool: Pool
  /** The owner of the database. */
  readonly owner: Client
  /** A pool of another size, to be ended by whoever asks for it. */
  /** @param waitMs that one waits for a connection */
  openPool(size: number, waitMs?: number): Pool
  close(): Promise<void>
}

/** Gives a test file a database with notes, and a pool that logs in as the API does. */
export const withNotes = (prepare: (env: NotesEnvironment) => unknown): void => withOpened(openNotes, prepare)

async function openNotes(): Promise<NotesEnvironment> {
  const database = await cloneDatabase()
  await makeNotes(database)
  const open = (size: number, waitMs?: number) =>
    openPool(
      { DATABASE_URL: database.url, SECRET_KEY: database.secretKey },
      { role: 'api', size, onError: () => {}, ...(waitMs !== undefined && { waitMs }) },
    )
  const pool = open(4)
  const owner = new pg.Client({ connectionString: database.url })
  await owner.connect()
  return {
    pool,
    owner,
    openPool: open,
    close: async () => {
      await pool.end()
      await owner.end()
      await database.drop()
    },
  }
}

/** What a text that another note has means to a client. */
export const TAKEN = {
  notes_text_key: (cause: unknown) =>
    new ApiError(422, 'TEXT_TAKEN', 'Another note has this text', { cause }),
}
export const insertNote = defineQuery(
  'insert_note',
  (v: Note) => sql<Note>`insert into notes (id, text) values (${v.id}, ${v.text}) returning id, text`,
  TAKEN,
).single()
export const changeNote = defineQuery(
  'change_note',
  (v: Note) => sql<Note>`update notes set text = ${v.text} where id = ${v.id} returning id, text`,
).one('Note')
/** These share round trips with those of other requests. */
export const noteById = defineLookup(
  'note_by_id',
  (v: { id: string }) => sql<Note>`select id, text from notes where id = ${v.id}`,
)
export const findNote = noteById.first()
export const addNote = defineQuery(
  'add_note',
  (v: Note) => sql<Note>`insert into notes (id, text) values (${v.id}, ${v.text}) returning id, text`,
  TAKEN,
  { group: 'insert' },
).single()
export const appendToNote = defineQuery(
  'append_to_note',
  (v: { id: string; more: string }) =>
    sql<Note>`update notes set text = text || ${v.more} where id = ${v.id} returning id, text`,
  TAKEN,
  { group: 'change' },
)
export const replaceText = defineQuery(
  'replace_text',
  (v: Note) => sql<Note>`update notes set text = ${v.text} where id = ${v.id} returning id, text`,
  TAKEN,
  { group: 'change' },
)
export const allNotes = defineQuery('all_notes', () => sql<Note>`select id, text from notes order by text`)
export const currentProject = defineLookup(
  'current_project',
  () => sql<{ id: string }>`select app.current_project() as id`,
)
/** Takes so long. */
export const pause = defineQuery(
  'pause',
  (v: { seconds: number }) => sql<object>`select pg_sleep(${v.seconds})`,
)
/** Fails unless the text is a number. */
export const asNumber = defineQuery(
  'as_number',
  (v: { text: string }) => sql<{ n: number }>`select ${v.text}::text::int as n`,
)

/** How often a connection was taken while something ran. */
export async function roundTripsOf(pool: Pool, work: () => Promise<unknown>): Promise<number> {
  let count = 0
  const onAcquire = () => count++
  pool.on('acquire', onAcquire)
  await work()
  pool.off('acquire', onAcquire)
  return count
}
