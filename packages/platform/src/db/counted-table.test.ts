import fc from 'fast-check'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { wrongCounters } from '#testkit/catalog/recount.ts'
import { cloneDatabase, type TestDatabase } from '#testkit/database.ts'

// Counters of `call app.counted_table(…)`, compared with counting again.

let database: TestDatabase
let owner: pg.Pool
const PROJECTS = ['0192f0c4-5d0a-7a51-9c56-0242ac120001', '0192f0c4-5d0a-7a51-9c56-0242ac120002']

beforeAll(async () => {
  database = await cloneDatabase()
  owner = new pg.Pool({ connectionString: database.url, max: 4 })
  await owner.query(`
    create table tried_things (
      project_id uuid not null, id int not null, kind text not null, size smallint not null, gone boolean not null,
      primary key (project_id, id)
    );
    call app.tenant_table('tried_things');
    insert into tried_things values ('${PROJECTS[0]}', -1, 'early', 1, false), ('${PROJECTS[0]}', -2, 'early', 1, true);
    call app.counted_table('tried_things', 'tried_counts', '{kind,size}', 'things', 'not row.gone')`)
})
afterAll(async () => {
  await owner.end()
  await database.drop()
})

test('rows that were there before are counted', async () => {
  expect(await wrongCounters(owner)).toEqual([])
  const { rows } = await owner.query('select kind, size, things::int from tried_counts')
  expect(rows).toEqual([{ kind: 'early', size: 1, things: 1 }])
})

test('whatever is written, at the same time by many, the counters are what counting says', async () => {
  const ids = fc.uniqueArray(fc.integer({ min: 0, max: 20 }), { minLength: 1, maxLength: 6 })
  const write = fc.record({
    verb: fc.constantFrom('insert', 'update', 'delete', 'move'),
    project: fc.constantFrom(...PROJECTS),
    ids,
    kind: fc.constantFrom('a', 'b'),
    size: fc.integer({ min: 0, max: 1 }),
    gone: fc.boolean(),
  })
  type Write = typeof write extends fc.Arbitrary<infer W> ? W : never
  const run = ({ verb, project, ids: some, kind, size, gone }: Write) => {
    const values = [project, some, ...(verb === 'delete' ? [] : [kind, size, gone])]
    const sql = {
      insert: `insert into tried_things select $1, id, $3, $4, $5 from unnest($2::int[]) as i (id)
        on conflict (project_id, id) do update set kind = excluded.kind, size = excluded.size, gone = excluded.gone`,
      update: `update tried_things set kind = $3, size = $4, gone = $5 where project_id = $1 and id = any ($2::int[])`,
      move: `update tried_things set kind = case kind when $3 then 'c' else $3 end, size = $4, gone = gone <> $5
        where project_id = $1 and id = any ($2::int[])`,
      delete: 'delete from tried_things where project_id = $1 and id = any ($2::int[])',
    }[verb]
    // A deadlock is rolled back as a whole, and `write` repeats it.
    return owner.query(sql, values).catch((error) => {
      if (error.code !== '40P01') throw error
    })
  }
  await fc.assert(
    fc.asyncProperty(fc.array(write, { minLength: 4, maxLength: 24 }), async (writes) => {
      await Promise.all(writes.map(run))
      expect(await wrongCounters(owner)).toEqual([])
    }),
    { numRuns: 25 },
  )
})
